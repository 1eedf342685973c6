CREATE TABLE t (a INT, b INT) WITH ('connector'='filesystem','path'='data/json/no_value.json','format'='json');
SELECT * FROM t;
