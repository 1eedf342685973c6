CREATE TABLE t (a INT, b INT) WITH ('connector'='filesystem','path'='data/json/broken_unused_value.json','format'='json');
SELECT a FROM t;
