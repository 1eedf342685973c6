CREATE TABLE t (r ROW<x INT, y STRING>) WITH ('connector'='filesystem','path'='data/json/row_of_nulls.json','format'='json');
SELECT * FROM t;
