CREATE TABLE t (a INT) WITH ('connector'='filesystem','path'='data/json/null_line.json','format'='json');
SELECT * FROM t;
