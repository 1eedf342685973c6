CREATE TABLE t (id BIGINT, k STRING, amt INT, e STRING, nope STRING METADATA) WITH ('connector' = 'filesystem', 'path' = 'data/nullts.csv', 'format' = 'csv', 'csv.null-literal' = '');
SELECT id FROM t;
