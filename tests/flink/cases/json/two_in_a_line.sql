CREATE TABLE t (a INT) WITH ('connector'='filesystem','path'='data/json/two_in_a_line.json','format'='json');
SELECT * FROM t;
