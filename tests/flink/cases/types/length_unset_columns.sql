CREATE TABLE t (id INT, a VARCHAR, b VARBINARY, c CHAR, ts AS CAST(id AS VARCHAR)) WITH ('connector'='filesystem','path'='data/scalar.csv','format'='csv');
DESCRIBE t;
