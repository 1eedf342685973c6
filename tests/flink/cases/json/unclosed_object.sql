CREATE TABLE t (a INT) WITH ('connector'='filesystem','path'='data/json/unclosed_object.json','format'='json');
SELECT * FROM t;
