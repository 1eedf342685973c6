CREATE TABLE t (a BYTES) WITH ('connector'='filesystem','path'='data/json/bytes_bad.json','format'='json');
SELECT * FROM t;
