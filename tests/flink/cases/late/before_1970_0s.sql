CREATE TABLE t (
  id BIGINT,
  k STRING,
  amt INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '0' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'data/late_before_1970.csv',
  'format' = 'csv'
);
SELECT window_start, window_end, COUNT(*) AS c FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' MINUTE) GROUP BY window_start, window_end;
