CREATE TABLE t (a INT) WITH ('connector'='filesystem','path'='data/json/empty_line.json','format'='json');
SELECT * FROM t;
