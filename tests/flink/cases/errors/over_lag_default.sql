-- A default of another type.
CREATE TABLE orders (
  order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
CREATE VIEW few AS SELECT * FROM orders WHERE order_id <= 12;
SELECT order_id, LAG(order_id, 1, 0) OVER (ORDER BY ts) FROM few;
