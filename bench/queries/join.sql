-- Two ten-minute aggregates joined by window and shop.
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
CREATE VIEW odd AS
SELECT window_start, window_end, shop, COUNT(*) AS n, SUM(amount) AS total
FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
WHERE order_id % 2 = 1
GROUP BY window_start, window_end, shop;

CREATE VIEW even AS
SELECT window_start, window_end, shop, COUNT(*) AS n, SUM(amount) AS total
FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
WHERE order_id % 2 = 0
GROUP BY window_start, window_end, shop;

SELECT a.window_start, a.shop, a.n AS n1, a.total AS total1, b.n AS n2, b.total AS total2
FROM odd AS a JOIN even AS b
ON a.window_start = b.window_start AND a.window_end = b.window_end AND a.shop = b.shop;
