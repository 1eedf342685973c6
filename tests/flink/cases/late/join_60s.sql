CREATE TABLE t (
  id BIGINT,
  k STRING,
  amt INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '60' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'data/unsorted.csv',
  'format' = 'csv'
);
SELECT l.window_start, l.window_end, l.id, r.id AS other FROM (SELECT * FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTE)) AS l LEFT JOIN (SELECT * FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTE) WHERE id < 0) AS r ON l.id = r.id AND l.window_start = r.window_start AND l.window_end = r.window_end;
