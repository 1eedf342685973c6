-- Options for writing do not hinder reading.
CREATE TABLE t (order_id BIGINT, shop STRING, amount DECIMAL(10, 2), ts TIMESTAMP(3)) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv', 'csv.write-bigdecimal-in-scientific-notation' = 'false');
SELECT * FROM t WHERE order_id <= 3;
