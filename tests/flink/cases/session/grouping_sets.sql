-- Where Flink expands the rows above the sessions: the sets do not hold the PARTITION BY key, or the windows are not in all of them, or a condition is on the windows.
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
SELECT window_start, window_end, chan, COUNT(*) AS c, SUM(v) AS s FROM SESSION(TABLE t PARTITION BY region, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, ROLLUP (chan);
SELECT window_start, window_end, region, COUNT(*) AS c FROM SESSION(TABLE t PARTITION BY region, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY GROUPING SETS ((window_start, window_end, region), (region), ());
SELECT window_start, window_end, UPPER(region) AS u, COUNT(*) AS c, GROUPING(UPPER(region)) AS g FROM SESSION(TABLE t PARTITION BY region, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, ROLLUP (UPPER(region));
SELECT window_start, window_end, region, chan, SUM(v) AS s FROM SESSION(TABLE t PARTITION BY (region, chan), DESCRIPTOR(ts), INTERVAL '1' MINUTE) WHERE window_end > TIMESTAMP '2024-07-01 00:00:00' GROUP BY window_start, window_end, CUBE (region, chan);
