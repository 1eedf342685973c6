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
SELECT k, JSON_ARRAYAGG(d * 1.0E10) AS a, JSON_ARRAYAGG(d / 1.0E5) AS b, JSON_ARRAYAGG(CAST(id AS DOUBLE) * 1.0E6) AS c, JSON_ARRAYAGG(CAST(id AS DOUBLE) / 1.0E4) AS d, JSON_ARRAYAGG(d / 0E0) AS e, JSON_ARRAYAGG(CAST(dc AS DECIMAL(30, 10))) AS f, JSON_ARRAYAGG(CAST(0 AS DECIMAL(20, 10))) AS g, JSON_ARRAYAGG(CAST(dc / 10000000 AS DECIMAL(38, 18))) AS h
FROM TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
GROUP BY window_start, window_end, k;
