CREATE TABLE t (
  id BIGINT,
  k STRING,
  amt INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'data/nulls.csv',
  'format' = 'csv',
  'csv.null-literal' = ''
);
SELECT LISTAGG(k, CAST(amt AS STRING)) AS a
FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
GROUP BY window_start, window_end;
