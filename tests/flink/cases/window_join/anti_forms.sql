-- NOT IN and NOT EXISTS within a window.
CREATE TABLE orders (
  order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
CREATE VIEW hi AS SELECT * FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE) WHERE amount > 70000;
CREATE VIEW lo AS SELECT * FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE) WHERE amount < 30000;
SELECT order_id, window_start FROM hi WHERE shop NOT IN (SELECT shop FROM lo WHERE hi.window_start = lo.window_start AND hi.window_end = lo.window_end);
SELECT order_id, window_start FROM hi WHERE NOT EXISTS (SELECT * FROM lo WHERE hi.shop = lo.shop AND hi.window_start = lo.window_start AND hi.window_end = lo.window_end);
