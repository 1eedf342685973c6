CREATE TABLE t (a STRING) WITH ('connector'='filesystem','path'='data/json/strings_of_anything.json','format'='json');
SELECT * FROM t;
