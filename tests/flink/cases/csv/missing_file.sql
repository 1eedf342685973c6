CREATE TABLE t (id INT, k STRING) WITH ('connector'='filesystem','path'='data/nope','format'='csv');
SELECT * FROM t;
