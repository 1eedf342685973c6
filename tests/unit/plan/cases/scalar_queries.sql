-- A sub-query as a value is joined to every row.
CREATE TABLE orders (order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'filesystem', 'path' = 'orders.csv', 'format' = 'csv');
SELECT order_id FROM orders WHERE amount > (SELECT AVG(amount) FROM orders) AND order_id < 20;
SELECT order_id, amount - (SELECT MIN(amount) FROM orders WHERE shop = 'a') AS d, (SELECT order_id FROM orders LIMIT 1) AS first_one FROM orders;
SELECT shop, COUNT(*) FROM orders WHERE amount = (SELECT 5) GROUP BY shop;
SELECT (SELECT 1), ROW_NUMBER() OVER (ORDER BY ts) FROM orders;
SELECT (SELECT amount FROM orders) FROM orders;
SELECT (SELECT 1, 2) FROM orders;
SELECT COUNT(*), (SELECT 1) FROM orders;
SELECT order_id FROM orders o WHERE amount > (SELECT AVG(amount) FROM orders i WHERE i.shop = o.shop);
SELECT order_id, (SELECT COUNT(*) FROM orders i WHERE i.shop = o.shop AND i.amount > 5) AS n FROM orders o;
SELECT order_id FROM orders o WHERE amount > (SELECT AVG(i.amount) + 1 FROM orders i WHERE i.shop = o.shop AND i.order_id < o.order_id);
SELECT order_id, (SELECT COUNT(*) + 1 FROM orders i WHERE i.shop = o.shop) FROM orders o;
-- IN and EXISTS within an expression
SELECT order_id FROM orders WHERE amount > 5 OR shop IN (SELECT shop FROM orders WHERE amount > 9);
SELECT order_id, EXISTS (SELECT 1 FROM orders i WHERE i.shop = o.shop) AS e, NOT EXISTS (SELECT 1 FROM orders) AS f FROM orders o;
SELECT order_id FROM orders WHERE amount > 5 OR shop NOT IN (SELECT shop FROM orders);
SELECT order_id, shop IN (SELECT shop FROM orders) FROM orders;
SELECT order_id FROM orders o WHERE amount > 5 OR EXISTS (SELECT 1 FROM orders i WHERE i.amount > o.amount);
SELECT shop, COUNT(*) FROM orders GROUP BY shop HAVING EXISTS (SELECT 1 FROM orders);
