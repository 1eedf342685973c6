-- DISTINCT with FILTER, and HAVING on another aggregate, over sessions.
CREATE TABLE orders (
  order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
SELECT window_start, COUNT(DISTINCT shop) FILTER (WHERE amount > 50000) AS d, SUM(DISTINCT amount) AS s, AVG(amount) FILTER (WHERE shop = 'jongno') AS a
FROM SESSION(TABLE orders, DESCRIPTOR(ts), INTERVAL '2' MINUTE) GROUP BY window_start, window_end HAVING COUNT(*) > 2;
