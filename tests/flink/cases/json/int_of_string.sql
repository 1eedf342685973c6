CREATE TABLE t (a INT, b INT) WITH ('connector'='filesystem','path'='data/json/int_of_string.json','format'='json');
SELECT * FROM t;
