-- LAG over windows and over sums of a window.
CREATE TABLE orders (
  order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
SELECT window_start, shop, s, LAG(s) OVER (PARTITION BY shop ORDER BY window_time) AS p FROM (SELECT window_start, window_time, shop, SUM(amount) s FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end, window_time, shop);
SELECT window_start, window_end, order_id, LAG(amount) OVER (PARTITION BY window_start, window_end, shop ORDER BY ts) AS p FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR) WHERE order_id < 30;
