SET 'table.display.max-column-width' = '150';
SET 'table.local-time-zone' = 'Asia/Seoul';
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
SELECT k, JSON_ARRAYAGG(ts) AS a, JSON_ARRAYAGG(CAST(ts AS TIMESTAMP_LTZ(3))) AS b, JSON_ARRAYAGG(TIMESTAMP '2024-01-01 10:00:00.120') AS c
FROM TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
GROUP BY window_start, window_end, k;
