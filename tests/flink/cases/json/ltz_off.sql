CREATE TABLE t (a TIMESTAMP_LTZ(3)) WITH ('connector'='filesystem','path'='data/json/ltz_off.json','format'='json');
SELECT * FROM t;
