-- Flink wants LIMIT count OFFSET start.
CREATE TABLE orders (
  order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
SELECT amount FROM orders ORDER BY ts LIMIT 2, 3;
