CREATE TABLE t (a DOUBLE) WITH ('connector'='filesystem','path'='data/json/nan.json','format'='json');
SELECT * FROM t;
