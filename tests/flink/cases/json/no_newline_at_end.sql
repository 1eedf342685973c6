CREATE TABLE t (a INT) WITH ('connector'='filesystem','path'='data/json/no_newline_at_end.json','format'='json');
SELECT * FROM t;
