SET 'execution.runtime-mode' = 'batch';
CREATE TABLE t (
  id BIGINT,
  k STRING,
  amt INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'data/ties.csv',
  'format' = 'csv'
);
SELECT id, k, ts, window_start FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, k ORDER BY ts DESC) AS rownum
  FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' MINUTE)
) WHERE rownum = 1;
