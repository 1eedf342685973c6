CREATE TABLE t (a INT) WITH ('connector'='filesystem','path'='data/json/plain.json','format'='json', 'json.timestamp-format.standard'='X');
SELECT * FROM t;
