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
SELECT window_start, region, STDDEV_POP(v) AS a, VAR_SAMP(CAST(v AS DOUBLE)) AS b
FROM HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '30' MINUTE)
GROUP BY window_start, window_end, region;
