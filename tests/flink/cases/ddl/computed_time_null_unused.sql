CREATE TABLE t (id BIGINT, k STRING, amt INT, e STRING, ts AS TO_TIMESTAMP(e), WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'path' = 'data/nullts.csv', 'format' = 'csv', 'csv.null-literal' = '');
SELECT id FROM t WHERE e IS NOT NULL;
