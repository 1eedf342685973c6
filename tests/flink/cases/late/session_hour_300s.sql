CREATE TABLE t (
  id BIGINT,
  k STRING,
  amt INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '5' MINUTE
) WITH (
  'connector' = 'filesystem',
  'path' = 'data/unsorted.csv',
  'format' = 'csv'
);
SELECT window_start, window_end, COUNT(*) AS c FROM SESSION(TABLE t, DESCRIPTOR(ts), INTERVAL '3' MINUTE) GROUP BY window_start, window_end;
