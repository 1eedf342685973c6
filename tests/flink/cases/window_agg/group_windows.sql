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
SELECT TUMBLE_START(ts, INTERVAL '1' HOUR) AS ws, TUMBLE_END(ts, INTERVAL '1' HOUR) AS we, TUMBLE_ROWTIME(ts, INTERVAL '1' HOUR) AS rt, shop, COUNT(*) AS c FROM orders GROUP BY TUMBLE(ts, INTERVAL '1' HOUR), shop;
SELECT HOP_START(ts, INTERVAL '30' MINUTE, INTERVAL '1' HOUR) AS ws, HOP_END(ts, INTERVAL '30' MINUTE, INTERVAL '1' HOUR) AS we, COUNT(*) AS c FROM orders GROUP BY HOP(ts, INTERVAL '30' MINUTE, INTERVAL '1' HOUR);
