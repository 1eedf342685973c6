CREATE TABLE t (a TIMESTAMP(3), b TIMESTAMP(6), c TIMESTAMP_LTZ(3), d DATE, e TIME(3), f TIMESTAMP(0)) WITH ('connector'='filesystem','path'='data/json/times.json','format'='json');
SELECT * FROM t;
