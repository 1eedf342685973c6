CREATE TABLE t (id INT, k STRING) WITH ('connector'='filesystem','path'='data/_csv_hidden.csv','format'='csv');
SELECT * FROM t;
