CREATE TABLE t (a INT) WITH ('connector'='filesystem','path'='data/json/plain.json','format'='json', 'json.ignore-parse-errors'='yes');
SELECT * FROM t;
