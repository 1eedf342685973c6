-- Sessions of each shop that end after 120 quiet seconds.
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
SELECT shop, COUNT(*) AS n, MIN(ts) AS first_ts, MAX(ts) AS last_ts
FROM SESSION(TABLE orders PARTITION BY shop, DESCRIPTOR(ts), INTERVAL '120' SECOND(3))
GROUP BY window_start, window_end, shop;
