-- INTERVAL takes a number, a column or an expression in parentheses in the place of the text.
CREATE TABLE t (
  region STRING,
  tier INT,
  chan STRING,
  v INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'data/multikey.csv',
  'format' = 'csv'
);
SELECT INTERVAL v MINUTE AS a, INTERVAL tier DAY AS b, INTERVAL -v SECOND AS c, INTERVAL tier MONTH AS d, INTERVAL t.tier YEAR AS e, INTERVAL tier WEEK AS w FROM t;
SELECT ts + INTERVAL 5 MINUTE AS a, ts - INTERVAL (v + tier) HOUR AS b, ts + INTERVAL tier MONTH AS c FROM t;
