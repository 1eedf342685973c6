CREATE TABLE t (a TINYINT, b SMALLINT, c BIGINT) WITH ('connector'='filesystem','path'='data/json/integers.json','format'='json');
SELECT * FROM t;
