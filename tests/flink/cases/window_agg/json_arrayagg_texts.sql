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
SELECT k, JSON_ARRAYAGG('q"\/' || U&'\0001\0008\0009\000a\000c\000d\00e9\20ac' || k) AS a, JSON_ARRAYAGG(CAST(k AS CHAR(3))) AS b, JSON_ARRAYAGG(CAST(k AS BYTES)) AS c
FROM TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
GROUP BY window_start, window_end, k;
