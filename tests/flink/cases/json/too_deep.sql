CREATE TABLE t (a INT) WITH ('connector'='filesystem','path'='data/json/too_deep.json','format'='json');
SELECT * FROM t;
