CREATE TABLE t (
  id BIGINT,
  k STRING,
  amt INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '30' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'data/unsorted.csv',
  'format' = 'csv'
);
SELECT window_start, window_end, COUNT(*) AS c FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '4' MINUTE) GROUP BY window_start, window_end;
