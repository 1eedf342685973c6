CREATE TABLE t (a INT, b STRING, ts TIMESTAMP(3)) WITH ('connector'='filesystem','path'='data/json/plain.json','format'='json');
SELECT * FROM t;
