-- OPTIONS changes options of a table, other hints change nothing.
CREATE TABLE orders (
  order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
SELECT /*+ STATE_TTL('orders' = '1d') */ COUNT(*) AS c FROM orders /*+ OPTIONS('csv.ignore-parse-errors' = 'true') */;
