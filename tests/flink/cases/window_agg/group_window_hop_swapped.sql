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
SELECT HOP_START(ts, INTERVAL '10' MINUTE, INTERVAL '5' MINUTE) AS ws, COUNT(*) AS c FROM orders GROUP BY HOP(ts, INTERVAL '10' MINUTE, INTERVAL '5' MINUTE);
