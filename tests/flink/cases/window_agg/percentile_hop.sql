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
SELECT window_start, PERCENTILE(v, 0.9) AS p, PERCENTILE(v, ARRAY[0.1, 0.9]) AS q
FROM HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '30' MINUTE)
GROUP BY window_start, window_end;
