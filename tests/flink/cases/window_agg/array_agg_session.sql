SET 'table.display.max-column-width' = '150';
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
SELECT window_start, region, ARRAY_AGG(v) AS a, LISTAGG(chan) AS b
FROM SESSION(TABLE t PARTITION BY region, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
GROUP BY window_start, window_end, region;
