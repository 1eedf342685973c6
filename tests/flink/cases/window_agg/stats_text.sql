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
SELECT STDDEV_POP(k) AS a
FROM TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
GROUP BY window_start, window_end;
