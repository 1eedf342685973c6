CREATE TABLE t (a INT) WITH ('connector'='filesystem','path'='data/json/empty_file.json','format'='json');
SELECT * FROM t;
