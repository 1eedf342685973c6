-- MINUTES, HOURS and SECONDS are units too.
CREATE TABLE orders (
  order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
SELECT window_start, COUNT(*) AS c FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '90' MINUTES) GROUP BY window_start, window_end;
SELECT window_start, COUNT(*) AS c FROM HOP(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOURS, INTERVAL '7200' SECONDS(4)) GROUP BY window_start, window_end;
