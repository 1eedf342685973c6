SET 'table.display.max-column-width' = '150';
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
SELECT window_start, ARRAY_AGG(amt) IGNORE NULLS AS a, ARRAY_AGG(amt) RESPECT NULLS AS b, ARRAY_AGG(amt) FILTER (WHERE amt > 10) AS c, ARRAY_AGG(DISTINCT k) AS d
FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' MINUTE)
GROUP BY window_start, window_end;
