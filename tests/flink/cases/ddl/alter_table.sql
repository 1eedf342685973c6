-- ALTER TABLE and ALTER VIEW: names, options, watermark, key.
CREATE TABLE orders (
  order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
CREATE TABLE nulls (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/nulls.csv', 'format' = 'csv', 'csv.null-literal' = '');
CREATE VIEW few AS SELECT * FROM orders WHERE order_id <= 12;
ALTER TABLE nulls RENAME TO nulls2;
SELECT COUNT(*) FROM nulls2;
ALTER TABLE nulls2 RENAME TO nulls;
ALTER TABLE nulls SET ('csv.null-literal' = 'n/a', 'csv.ignore-parse-errors' = 'true');
SELECT COUNT(*) FROM nulls WHERE k = '';
ALTER TABLE nulls RESET ('csv.null-literal');
SELECT id, v FROM nulls WHERE id = 2;
ALTER TABLE nulls MODIFY WATERMARK FOR ts AS ts - INTERVAL '5' MINUTE;
ALTER TABLE nulls ADD PRIMARY KEY (id) NOT ENFORCED;
DESCRIBE nulls;
ALTER TABLE nulls DROP WATERMARK;
ALTER TABLE nulls DROP PRIMARY KEY;
SHOW TABLES;
ALTER VIEW few RENAME TO few2;
SELECT COUNT(*) FROM few2;
ALTER VIEW few2 AS SELECT * FROM orders WHERE order_id < 3;
SELECT COUNT(*) FROM few2;
ALTER TABLE IF EXISTS nope RENAME TO nope2;
