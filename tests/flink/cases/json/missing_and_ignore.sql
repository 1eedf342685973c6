CREATE TABLE t (a INT, b STRING) WITH ('connector'='filesystem','path'='data/json/plain.json','format'='json', 'json.fail-on-missing-field'='true', 'json.ignore-parse-errors'='true');
SELECT * FROM t;
