CREATE TABLE t (a TINYINT) WITH ('connector'='filesystem','path'='data/json/tiny_big.json','format'='json');
SELECT * FROM t;
