-- Ordinary joins: USING, CROSS JOIN and a condition without equality.
CREATE TABLE orders (
  order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
CREATE TEMPORARY VIEW rates (shop, rate) AS VALUES ('gangnam', 2), ('jongno', 3), ('nowhere', 4);
SELECT order_id, shop, rate FROM orders JOIN rates USING (shop) WHERE order_id <= 10;
SELECT a, b FROM (VALUES (1), (2)) AS x(a) CROSS JOIN (VALUES ('p'), ('q')) AS y(b);
SELECT a, b FROM (VALUES (1), (2)) AS x(a) JOIN (VALUES (1), (2)) AS y(b) ON a < b;
