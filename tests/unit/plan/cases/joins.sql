-- Equalities become keys, one-sided conditions go down where that is right, the rest is a residual.
CREATE TABLE orders (order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'filesystem', 'path' = 'orders.csv', 'format' = 'csv');
CREATE VIEW w AS SELECT * FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE);
SELECT a.order_id, b.amount FROM w a JOIN w b ON a.shop = b.shop AND a.window_start = b.window_start AND a.window_end = b.window_end AND a.order_id < b.order_id;
SELECT a.order_id, b.amount FROM w a LEFT JOIN w b ON a.shop = b.shop AND a.window_start = b.window_start AND a.window_end = b.window_end AND a.amount > 5 AND b.amount > 6 WHERE a.order_id = 1 AND b.order_id = 2;
SELECT * FROM (SELECT shop, amount FROM orders) a FULL JOIN (SELECT shop, amount FROM orders) b ON a.shop IS NOT DISTINCT FROM b.shop AND a.amount > 1;
SELECT a.shop FROM orders a RIGHT JOIN orders b ON a.amount + 1 = b.amount AND a.amount > 1 AND b.amount > 2;
SELECT a.shop, b.shop FROM orders a, orders b WHERE a.order_id = b.amount AND a.shop = 'x' AND b.shop = 'y';
SELECT a.shop FROM orders a CROSS JOIN orders b;
SELECT * FROM (SELECT shop, amount FROM orders) a JOIN (SELECT shop, ts FROM orders) b USING (shop);
SELECT * FROM (SELECT shop, amount FROM orders) a NATURAL JOIN (SELECT shop, amount FROM orders) b;
-- semi and anti joins
SELECT order_id FROM w a WHERE EXISTS (SELECT * FROM w b WHERE a.window_start = b.window_start AND a.window_end = b.window_end AND b.amount > 5);
SELECT order_id FROM w a WHERE NOT EXISTS (SELECT 1 FROM w b WHERE a.shop = b.shop AND a.amount < b.amount);
SELECT order_id FROM orders a WHERE shop IN (SELECT shop FROM orders b WHERE b.amount > a.amount) AND amount > 3;
SELECT order_id FROM orders a WHERE shop NOT IN (SELECT shop FROM orders b WHERE b.amount = a.amount);
SELECT order_id FROM orders a WHERE order_id IN (SELECT COUNT(*) FROM orders GROUP BY shop);
SELECT order_id FROM orders a WHERE (shop, amount) IN (SELECT shop, amount FROM orders);
SELECT order_id FROM orders a WHERE shop NOT IN (SELECT shop FROM orders b WHERE b.amount < a.amount);
SELECT order_id FROM orders a WHERE shop IN (SELECT shop, amount FROM orders);
SELECT order_id FROM orders a WHERE shop = 'a' OR EXISTS (SELECT * FROM orders);
-- names
SELECT shop FROM orders a JOIN orders b ON a.order_id = b.order_id;
SELECT a.shp FROM orders a JOIN orders b ON a.order_id = b.order_id;
SELECT c.shop FROM orders a JOIN orders b ON a.order_id = b.order_id;
SELECT * FROM orders a JOIN orders b USING (nope);
-- USING and NATURAL: the shared columns are one and come first
SELECT * FROM (SELECT amount, shop FROM orders) a FULL JOIN (SELECT shop, order_id FROM orders) b USING (shop);
SELECT shop, a.shop AS l, b.shop AS r FROM orders a RIGHT JOIN orders b USING (shop, order_id);
SELECT a.*, x FROM (SELECT amount, shop FROM orders) a NATURAL JOIN (SELECT shop, 1 AS x FROM orders) b NATURAL JOIN (SELECT shop FROM orders) c WHERE shop = 'a';
SELECT k FROM (SELECT shop AS k, shop AS k2 FROM orders) a JOIN (SELECT 1 AS k) b USING (k2);
SELECT a.shop FROM orders a JOIN orders b ON a.shop = b.shop JOIN orders a ON TRUE;
SELECT 1 AS x FROM orders, (SELECT 1 AS y) AS orders;
