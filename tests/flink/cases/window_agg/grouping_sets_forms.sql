-- GROUPING SETS with an empty set, CUBE with an expression, on TUMBLE and HOP.
CREATE TABLE orders (
  order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
SELECT window_start, shop, COUNT(*) AS c, GROUPING(shop) AS g FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end, GROUPING SETS ((shop), ());
SELECT window_start, shop, amount > 50000 AS big, COUNT(*) AS c FROM HOP(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '2' HOUR) GROUP BY window_start, window_end, CUBE (shop, amount > 50000);
