CREATE TABLE t (
  id BIGINT,
  k STRING,
  amt INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '2' MINUTE
) WITH (
  'connector' = 'filesystem',
  'path' = 'data/unsorted.csv',
  'format' = 'csv'
);
SELECT window_start, window_end, k, COUNT(*) AS c FROM SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '4' MINUTE) WHERE amt > 150 GROUP BY window_start, window_end, k;
