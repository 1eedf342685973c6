CREATE TABLE t (a BIGINT) WITH ('connector'='filesystem','path'='data/json/bigint_big.json','format'='json');
SELECT * FROM t;
