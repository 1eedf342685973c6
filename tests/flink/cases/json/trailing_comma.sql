CREATE TABLE t (a INT) WITH ('connector'='filesystem','path'='data/json/trailing_comma.json','format'='json');
SELECT * FROM t;
