CREATE TABLE t (a INT) WITH ('connector'='filesystem','path'='data/json/array_of_rows.json','format'='json');
SELECT * FROM t;
