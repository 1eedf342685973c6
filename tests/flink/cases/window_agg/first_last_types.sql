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
SELECT window_start, FIRST_VALUE(k) AS a, LAST_VALUE(k) AS b, FIRST_VALUE(amt) FILTER (WHERE amt > 10) AS c, FIRST_VALUE(ts) AS d, LAST_VALUE(DISTINCT k) AS e, FIRST_VALUE(INTERVAL '1' DAY) AS f, LAST_VALUE(ROW(id, k)) AS g, FIRST_VALUE(ARRAY[amt]) AS h
FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' MINUTE)
GROUP BY window_start, window_end;
