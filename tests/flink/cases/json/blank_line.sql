CREATE TABLE t (a INT) WITH ('connector'='filesystem','path'='data/json/blank_line.json','format'='json');
SELECT * FROM t;
