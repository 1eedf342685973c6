CREATE TABLE t (a INT, b INT) WITH ('connector'='filesystem','path'='data/json/int_empty.json','format'='json');
SELECT * FROM t;
