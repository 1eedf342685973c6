-- Ten-minute tumbling windows by shop.
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
FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
GROUP BY window_start, window_end, shop;
