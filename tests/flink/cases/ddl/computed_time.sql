CREATE TABLE orders (
  order_id BIGINT, shop STRING, amount INT, event_time STRING,
  ts AS TO_TIMESTAMP(event_time) COMMENT 'from the event',
  doubled AS amount * 2,
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
DESCRIBE orders;
SELECT window_start, shop, COUNT(*) AS cnt, SUM(doubled) AS d
FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '30' MINUTE) GROUP BY window_start, window_end, shop;
SELECT order_id, ts FROM orders WHERE amount > 60000;
