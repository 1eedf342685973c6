CREATE TABLE t (a TIMESTAMP_LTZ(3)) WITH ('connector'='filesystem','path'='data/json/iso_ltz.json','format'='json', 'json.timestamp-format.standard'='ISO-8601');
SELECT * FROM t;
