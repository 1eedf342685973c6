CREATE TABLE t (a INT, b INT) WITH ('connector'='filesystem','path'='data/json/bad_unused_value.json','format'='json');
SELECT a FROM t;
