CREATE TABLE t (a INT) WITH ('connector'='filesystem','path'='data/json/leading_zero.json','format'='json');
SELECT * FROM t;
