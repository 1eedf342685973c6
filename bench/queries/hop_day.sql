-- One-day windows every minute, without a key.
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
SELECT window_start, COUNT(*) AS n, SUM(amount) AS total
FROM HOP(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '1' DAY)
GROUP BY window_start, window_end;
