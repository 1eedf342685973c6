CREATE TABLE t (a DATE) WITH ('connector'='filesystem','path'='data/json/date_short.json','format'='json');
SELECT * FROM t;
