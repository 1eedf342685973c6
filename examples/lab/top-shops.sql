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
SELECT window_start, window_end, shop, revenue, rownum
FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY revenue DESC) AS rownum
  FROM (
    SELECT window_start, window_end, shop, SUM(amount) AS revenue
    FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
    GROUP BY window_start, window_end, shop
  )
)
WHERE rownum <= 2;
