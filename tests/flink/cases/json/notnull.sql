CREATE TABLE t (a INT NOT NULL, b STRING) WITH ('connector'='filesystem','path'='data/json/notnull.json','format'='json');
SELECT * FROM t;
