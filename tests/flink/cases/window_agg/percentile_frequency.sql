CREATE TABLE t (
  id BIGINT,
  k STRING,
  amt INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'data/nulls.csv',
  'format' = 'csv',
  'csv.null-literal' = ''
);
SELECT window_start, PERCENTILE(amt, 0.3, 2) AS a, PERCENTILE(amt, 0.3, id) AS b, PERCENTILE(id, 0.5, amt) AS c, PERCENTILE(amt, 0.5, CAST(id - 6 AS INT)) AS d
FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' MINUTE)
GROUP BY window_start, window_end;
