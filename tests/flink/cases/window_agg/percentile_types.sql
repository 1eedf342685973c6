CREATE TABLE n (
  id INT,
  k STRING,
  ti TINYINT,
  si SMALLINT,
  i INT,
  b BIGINT,
  f FLOAT,
  d DOUBLE,
  dc DECIMAL(10, 2),
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'data/nums.csv',
  'format' = 'csv',
  'csv.null-literal' = ''
);
SELECT k, PERCENTILE(dc, 0.5) AS a, PERCENTILE(d, 0.5) AS b, PERCENTILE(f, 0.1) AS c, PERCENTILE(b, 0.5) AS d, PERCENTILE(ti, 0.5) AS e, PERCENTILE(d / 0E0, 0.75) AS g
FROM TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
GROUP BY window_start, window_end, k;
