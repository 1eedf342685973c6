CREATE TABLE t (a INT) WITH ('connector'='filesystem','path'='data/json/name_twice.json','format'='json');
SELECT * FROM t;
