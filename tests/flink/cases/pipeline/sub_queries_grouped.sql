-- Sub-queries in HAVING, in grouped SELECTs and within aggregates.
CREATE TABLE orders (
  order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
CREATE TABLE nulls (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/nulls.csv', 'format' = 'csv', 'csv.null-literal' = '');
CREATE VIEW few AS SELECT * FROM orders WHERE order_id <= 12;
SELECT shop, SUM(amount) FROM orders GROUP BY shop HAVING SUM(amount) > (SELECT AVG(s) FROM (SELECT SUM(amount) s FROM orders GROUP BY shop));
SELECT shop, SUM(amount) FROM orders GROUP BY shop HAVING shop IN (SELECT shop FROM few);
SELECT shop, COUNT(*), (SELECT COUNT(*) FROM orders) AS total FROM orders GROUP BY shop;
SELECT shop, COUNT(*) * 100 / (SELECT COUNT(*) FROM orders) AS pct FROM orders GROUP BY shop;
SELECT window_start, shop, SUM(amount) s, SUM(amount) * 100.0 / (SELECT SUM(amount) FROM orders) FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end, shop;
SELECT window_start, shop, SUM(amount) s FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end, shop HAVING SUM(amount) > (SELECT AVG(amount) FROM orders);
SELECT shop FROM few f GROUP BY shop HAVING COUNT(*) > (SELECT 1);
SELECT MAX((SELECT MAX(amount) FROM few)) FROM nulls;
SELECT SUM(amount + (SELECT 1)) FROM few;
SELECT SUM(CASE WHEN shop IN (SELECT shop FROM few WHERE order_id < 3) THEN amount ELSE 0 END) FROM few;
SELECT COUNT(*) FILTER (WHERE amount > (SELECT AVG(amount) FROM few)) FROM few;
SELECT k, SUM(v) FROM nulls n GROUP BY k HAVING EXISTS (SELECT 1 FROM few WHERE amount > 10);
SELECT id, CASE WHEN v > (SELECT AVG(v) FROM nulls) THEN (SELECT MAX(v) FROM nulls) ELSE (SELECT MIN(v) FROM nulls) END FROM nulls;
