CREATE TABLE t (a TIMESTAMP(3)) WITH ('connector'='filesystem','path'='data/json/ts_z.json','format'='json');
SELECT * FROM t;
