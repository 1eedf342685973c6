-- The first, the last and the mean up to each row.
CREATE TABLE orders (
  order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
SELECT order_id, FIRST_VALUE(amount) OVER (PARTITION BY shop ORDER BY ts RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS f,
  LAST_VALUE(amount) OVER (PARTITION BY shop ORDER BY ts RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS l,
  AVG(amount) OVER (PARTITION BY shop ORDER BY ts RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS a FROM orders WHERE order_id <= 30;
