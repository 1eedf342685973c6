CREATE TABLE t (a TIMESTAMP_LTZ(3)) WITH ('connector'='filesystem','path'='data/json/ltz_noz.json','format'='json');
SELECT * FROM t;
