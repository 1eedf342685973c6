CREATE TABLE t (a INT, b INT) WITH ('connector'='filesystem','path'='data/json/int_of_blank_string.json','format'='json');
SELECT * FROM t;
