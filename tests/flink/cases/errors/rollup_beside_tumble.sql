-- A group window beside ROLLUP.
CREATE TABLE orders (
  order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
SELECT TUMBLE_START(ts, INTERVAL '1' HOUR) AS s, shop, COUNT(*) AS n FROM orders GROUP BY TUMBLE(ts, INTERVAL '1' HOUR), ROLLUP (shop);
