-- Ten-minute tumbling windows by shop.
SELECT window_start, shop, COUNT(*) AS n, SUM(CAST(amount AS BIGINT)) AS total
FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
GROUP BY window_start, window_end, shop;
