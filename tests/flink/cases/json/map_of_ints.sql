CREATE TABLE t (m MAP<INT, STRING>) WITH ('connector'='filesystem','path'='data/json/map_of_ints.json','format'='json');
SELECT * FROM t;
