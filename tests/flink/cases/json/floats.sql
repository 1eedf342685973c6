CREATE TABLE t (a DOUBLE, b FLOAT) WITH ('connector'='filesystem','path'='data/json/floats.json','format'='json');
SELECT * FROM t;
