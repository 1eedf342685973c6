CREATE TABLE t (A INT, a INT) WITH ('connector'='filesystem','path'='data/json/names_by_case.json','format'='json');
SELECT * FROM t;
