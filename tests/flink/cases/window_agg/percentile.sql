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
SELECT window_start, PERCENTILE(amt, 0.5) AS a, PERCENTILE(amt, 0.25) AS b, PERCENTILE(amt, 0) AS c, PERCENTILE(amt, 1) AS d, PERCENTILE(DISTINCT amt, 1 - 0.5E0) AS e, PERCENTILE(amt, 0.5) FILTER (WHERE amt > 10) AS f
FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' MINUTE)
GROUP BY window_start, window_end;
