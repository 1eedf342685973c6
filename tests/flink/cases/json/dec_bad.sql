CREATE TABLE t (a DECIMAL(10,2)) WITH ('connector'='filesystem','path'='data/json/dec_bad.json','format'='json');
SELECT * FROM t;
