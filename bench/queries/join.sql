-- Two ten-minute aggregates joined by window and shop.
SELECT a.window_start, a.shop, a.n AS n1, a.total AS total1, b.n AS n2, b.total AS total2
FROM (
  SELECT window_start, window_end, shop, COUNT(*) AS n, SUM(CAST(amount AS BIGINT)) AS total
  FROM TUMBLE(TABLE odd, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
  GROUP BY window_start, window_end, shop
) AS a
JOIN (
  SELECT window_start, window_end, shop, COUNT(*) AS n, SUM(CAST(amount AS BIGINT)) AS total
  FROM TUMBLE(TABLE even, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
  GROUP BY window_start, window_end, shop
) AS b
ON a.window_start = b.window_start AND a.window_end = b.window_end AND a.shop = b.shop;
