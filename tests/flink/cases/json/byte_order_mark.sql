CREATE TABLE t (a INT) WITH ('connector'='filesystem','path'='data/json/byte_order_mark.json','format'='json');
SELECT * FROM t;
