CREATE TABLE t (a INT) WITH ('connector'='filesystem','path'='data/json/unknown_format_option.json','format'='json', 'json.nope'='X');
SELECT * FROM t;
