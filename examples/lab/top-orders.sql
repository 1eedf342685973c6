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
SELECT order_id, shop, amount, window_start, window_end, rownum
FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY amount DESC) AS rownum
  FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '30' MINUTE)
)
WHERE rownum <= 3;
