CREATE TABLE t (a TIMESTAMP(3)) WITH ('connector'='filesystem','path'='data/json/ts_24.json','format'='json');
SELECT * FROM t;
