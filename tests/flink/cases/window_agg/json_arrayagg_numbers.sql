SET 'table.display.max-column-width' = '150';
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
SELECT k, JSON_ARRAYAGG(ti) AS a, JSON_ARRAYAGG(b) AS b, JSON_ARRAYAGG(f) AS c, JSON_ARRAYAGG(d) AS d, JSON_ARRAYAGG(dc) AS e, JSON_ARRAYAGG(i > 1) AS g, JSON_ARRAYAGG(CAST(f AS FLOAT) * CAST(1.0E10 AS FLOAT)) AS h
FROM TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
GROUP BY window_start, window_end, k;
