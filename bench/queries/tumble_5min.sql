-- Five-minute tumbling windows by shop: the slices of hop.sql.
SELECT window_start, shop, COUNT(*) AS n, SUM(CAST(amount AS BIGINT)) AS total
FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '5' MINUTE)
GROUP BY window_start, window_end, shop;
