-- One-hour windows every five minutes, by shop.
CREATE TABLE orders (
  order_id BIGINT,
  shop STRING,
  amount INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'orders.csv',
  'format' = 'csv'
);
SELECT window_start, shop, COUNT(*) AS n, SUM(amount) AS total
FROM HOP(TABLE orders, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '1' HOUR)
GROUP BY window_start, window_end, shop;
