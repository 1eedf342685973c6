CREATE TABLE t (a INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector'='filesystem','path'='data/json/rowtime_missing.json','format'='json');
SELECT * FROM t;
