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
SELECT VAR_POP(CAST(dc AS DECIMAL(38, 2))) AS a, VAR_POP(CAST(dc AS DECIMAL(20, 10))) AS b, STDDEV_POP(CAST(dc AS DECIMAL(20, 10))) AS c, VAR_SAMP(CAST(i AS DECIMAL(10, 0))) AS e
FROM TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
GROUP BY window_start, window_end, k;
