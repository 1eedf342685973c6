-- Running totals of the day every ten minutes, by shop.
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
SELECT window_start, window_end, shop, SUM(amount) AS total
FROM CUMULATE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '1' DAY)
GROUP BY window_start, window_end, shop;
