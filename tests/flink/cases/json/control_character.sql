CREATE TABLE t (a STRING) WITH ('connector'='filesystem','path'='data/json/control_character.json','format'='json');
SELECT * FROM t;
