CREATE TABLE t (a TIME) WITH ('connector'='filesystem','path'='data/json/time_short.json','format'='json');
SELECT * FROM t;
