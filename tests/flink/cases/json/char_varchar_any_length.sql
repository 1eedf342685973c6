CREATE TABLE t (a CHAR(3), b VARCHAR(2)) WITH ('connector'='filesystem','path'='data/json/char_varchar_any_length.json','format'='json');
SELECT * FROM t;
