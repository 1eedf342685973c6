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
CREATE VIEW t2 AS SELECT * FROM t WHERE id IN (2, 3);
SELECT window_start, JSON_OBJECTAGG(KEY k VALUE amt) AS a
FROM TUMBLE(TABLE t2, DESCRIPTOR(ts), INTERVAL '5' MINUTE)
GROUP BY window_start, window_end;
