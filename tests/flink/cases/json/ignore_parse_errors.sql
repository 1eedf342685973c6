CREATE TABLE t (a INT, b STRING) WITH ('connector'='filesystem','path'='data/json/ignore_parse_errors.json','format'='json', 'json.ignore-parse-errors'='true');
SELECT * FROM t;
