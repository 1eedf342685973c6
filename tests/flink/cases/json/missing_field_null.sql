CREATE TABLE t (a INT, b STRING) WITH ('connector'='filesystem','path'='data/json/missing_field_null.json','format'='json', 'json.fail-on-missing-field'='true');
SELECT * FROM t;
