-- One-hour windows every five minutes, by shop.
SELECT window_start, shop, COUNT(*) AS n, SUM(CAST(amount AS BIGINT)) AS total
FROM HOP(TABLE orders, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '60' MINUTE)
GROUP BY window_start, window_end, shop;
