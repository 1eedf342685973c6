CREATE TABLE t (a BYTES, b VARBINARY(2)) WITH ('connector'='filesystem','path'='data/json/bytes.json','format'='json');
SELECT * FROM t;
