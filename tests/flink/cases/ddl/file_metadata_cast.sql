CREATE TABLE t (id BIGINT, k STRING, amt INT, e STRING, size_time TIMESTAMP(3) METADATA FROM 'file.size') WITH ('connector' = 'filesystem', 'path' = 'data/nullts.csv', 'format' = 'csv', 'csv.null-literal' = '');
SELECT id, size_time FROM t;
