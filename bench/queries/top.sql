-- The three largest orders of each half hour.
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
SELECT window_start, n, order_id, shop, amount, ts
FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY amount DESC) AS n
  FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '30' MINUTE)
)
WHERE n <= 3;
