CREATE TABLE t (a DECIMAL(10,2), b DECIMAL(38,18)) WITH ('connector'='filesystem','path'='data/json/decimals.json','format'='json');
SELECT * FROM t;
