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
SELECT window_start, LISTAGG(DISTINCT k, ';') AS a, LISTAGG(DISTINCT CAST(amt AS STRING)) AS b, COUNT(DISTINCT amt) AS c, SUM(DISTINCT amt) FILTER (WHERE amt > 0) AS d, LISTAGG(k) FILTER (WHERE amt > 0) AS e, LISTAGG(CAST(k AS CHAR(3))) AS f, LISTAGG(k, '') AS g
FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
GROUP BY window_start, window_end;
