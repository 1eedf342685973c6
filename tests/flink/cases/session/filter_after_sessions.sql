CREATE TABLE orders (
  order_id BIGINT,
  shop STRING,
  amount INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'data/windows_orders.csv',
  'format' = 'csv'
);
SELECT order_id, window_start, window_end, shop FROM SESSION(TABLE orders PARTITION BY shop, DESCRIPTOR(ts), INTERVAL '5' MINUTE) WHERE amount > 90000;
