CREATE TABLE orders (
  order_id BIGINT,
  shop STRING,
  amount INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'windows_orders.csv',
  'format' = 'csv'
);
SELECT window_start, window_end, shop, COUNT(*) AS cnt
FROM SESSION(TABLE orders PARTITION BY shop, DESCRIPTOR(ts), INTERVAL '5' MINUTE)
GROUP BY window_start, window_end, shop;
