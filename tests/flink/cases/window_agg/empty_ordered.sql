SET 'execution.runtime-mode' = 'batch';
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
SELECT LISTAGG(k) AS l, ARRAY_AGG(k) AS a, COLLECT(k) AS c, JSON_ARRAYAGG(k) AS j, JSON_OBJECTAGG(KEY k VALUE amt) AS o, FIRST_VALUE(k) AS f, PERCENTILE(amt, 0.5) AS p, VAR_POP(amt) AS v
FROM t WHERE id > 1000;
