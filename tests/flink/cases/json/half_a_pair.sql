CREATE TABLE t (a STRING) WITH ('connector'='filesystem','path'='data/json/half_a_pair.json','format'='json');
SELECT * FROM t;
