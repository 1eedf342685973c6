-- A join on OR, and IN with rows of two.
CREATE TABLE orders (
  order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
SELECT o.order_id, v.p FROM orders AS o JOIN (VALUES ('gangnam', 1), ('jongno', 2)) AS v(shop, p) ON o.shop = v.shop OR o.order_id = v.p WHERE o.order_id <= 6;
SELECT order_id FROM orders WHERE (order_id, shop) IN (SELECT order_id, shop FROM orders WHERE order_id < 4);
