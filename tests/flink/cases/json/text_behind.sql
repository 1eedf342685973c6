CREATE TABLE t (a INT) WITH ('connector'='filesystem','path'='data/json/text_behind.json','format'='json');
SELECT * FROM t;
