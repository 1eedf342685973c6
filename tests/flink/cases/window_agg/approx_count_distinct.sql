SET 'execution.runtime-mode' = 'batch';
CREATE TABLE t (
  region STRING,
  tier INT,
  chan STRING,
  v INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'data/multikey.csv',
  'format' = 'csv'
);
SELECT window_start, APPROX_COUNT_DISTINCT(v) AS a, APPROX_COUNT_DISTINCT(region) AS b, APPROX_COUNT_DISTINCT(ts) AS c
FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '20' MINUTE)
GROUP BY window_start, window_end;
