CREATE TABLE t (a DATE) WITH ('connector'='filesystem','path'='data/json/date_leap.json','format'='json');
SELECT * FROM t;
