-- A primary key is declared, never checked.
CREATE TEMPORARY TABLE o (order_id BIGINT NOT NULL, shop STRING, amount INT, ts TIMESTAMP(3), PRIMARY KEY (order_id) NOT ENFORCED) COMMENT 'keyed' WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
DESCRIBE o;
SELECT COUNT(*) AS c FROM o;
DROP TEMPORARY TABLE o;
SHOW TABLES;
