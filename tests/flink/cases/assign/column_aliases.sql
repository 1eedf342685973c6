-- Aliases for the columns of a window table function, and for itself.
CREATE TABLE orders (
  order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
SELECT a, g FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR) AS t (a, b, c, d, e, f, g) WHERE a <= 3;
SELECT t.window_start, COUNT(*) AS c FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR)) AS t GROUP BY t.window_start, t.window_end;
