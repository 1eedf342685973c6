-- Three aggregates joined by window and key.
CREATE TABLE orders (
  order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
CREATE VIEW c AS SELECT window_start, window_end, shop, COUNT(*) AS n FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end, shop;
CREATE VIEW s AS SELECT window_start, window_end, shop, SUM(amount) AS total FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end, shop;
CREATE VIEW m AS SELECT window_start, window_end, shop, MAX(amount) AS most FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end, shop;
SELECT c.window_start, c.shop, n, total, most FROM c JOIN s ON c.shop = s.shop AND c.window_start = s.window_start AND c.window_end = s.window_end JOIN m ON c.shop = m.shop AND c.window_start = m.window_start AND c.window_end = m.window_end;
