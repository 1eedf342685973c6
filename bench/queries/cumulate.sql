-- Running totals of the day every ten minutes, by shop.
SELECT window_start, window_end, shop, SUM(CAST(amount AS BIGINT)) AS total
FROM CUMULATE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '1' DAY)
GROUP BY window_start, window_end, shop;
