-- The last order of each shop in ten minutes.
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
SELECT window_start, shop, order_id, amount, ts
FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, shop ORDER BY ts DESC) AS n
  FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
)
WHERE n = 1;
