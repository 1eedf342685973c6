CREATE TABLE t (a TIMESTAMP(3)) WITH ('connector'='filesystem','path'='data/json/iso_t.json','format'='json', 'json.timestamp-format.standard'='ISO-8601');
SELECT * FROM t;
