-- VALUES, set operations, ORDER BY and LIMIT.
CREATE TABLE orders (order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'filesystem', 'path' = 'orders.csv', 'format' = 'csv');
SELECT * FROM (VALUES (1, 'a', CAST(NULL AS DECIMAL(2, 1))), (2, 'bcd', 2.5)) AS v (x, y, z);
VALUES (1), ('a');
VALUES (1, 2), (3);
SELECT shop FROM orders UNION SELECT 'x';
SELECT amount FROM orders WHERE amount > 1 UNION ALL SELECT order_id FROM orders UNION ALL SELECT 1.5 ORDER BY amount DESC LIMIT 3;
SELECT s FROM (SELECT shop AS s FROM orders UNION ALL SELECT CAST(amount AS STRING) FROM orders) WHERE s = 'x';
SELECT shop FROM orders INTERSECT SELECT 'x';
SELECT shop, amount FROM orders EXCEPT SELECT 'x', 1;
SELECT shop FROM orders UNION ALL SELECT shop, amount FROM orders;
SELECT shop FROM orders UNION ALL SELECT amount > 1 FROM orders;
SELECT shop FROM orders INTERSECT ALL SELECT 'x';
-- by name, ordinal, expression, a column that is not selected
SELECT shop AS s, amount FROM orders ORDER BY s, 2 DESC, amount % 7, ts NULLS LAST LIMIT 5 OFFSET 2;
SELECT shop, COUNT(*) AS c FROM orders GROUP BY shop ORDER BY SUM(amount) DESC, c FETCH FIRST 2 ROWS ONLY;
SELECT DISTINCT shop FROM orders ORDER BY shop;
SELECT DISTINCT shop FROM orders ORDER BY amount;
SELECT shop FROM orders ORDER BY 2;
SELECT shop FROM orders LIMIT 1.5;
SELECT shop FROM orders ORDER BY nope;
SELECT * FROM (SELECT shop, amount FROM orders ORDER BY amount LIMIT 3) WHERE shop = 'a';
SELECT * FROM (SELECT shop, amount FROM orders ORDER BY amount) WHERE shop = 'a';
SELECT 1, 'a', 1 + 2 * 3;
