-- Flink moves the expansion below the sessions, which it then finds by other columns; the fourth query of grouping_sets keeps them by a condition that always holds.
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
SELECT window_start, window_end, region, chan, SUM(v) AS s FROM SESSION(TABLE t PARTITION BY (region, chan), DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, CUBE (region, chan);
SELECT window_start, window_end, chan, region, COUNT(*) AS c FROM SESSION(TABLE t PARTITION BY region, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, ROLLUP (chan, region);
SELECT window_start, window_end, chan, MIN(region) AS m FROM SESSION(TABLE t PARTITION BY region, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, ROLLUP (chan);
