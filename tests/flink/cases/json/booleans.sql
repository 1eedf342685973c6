CREATE TABLE t (a BOOLEAN) WITH ('connector'='filesystem','path'='data/json/booleans.json','format'='json');
SELECT * FROM t;
