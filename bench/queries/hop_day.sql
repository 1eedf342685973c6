-- One-day windows every minute, without a key.
SELECT window_start, COUNT(*) AS n, SUM(CAST(amount AS BIGINT)) AS total
FROM HOP(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '1' DAY)
GROUP BY window_start, window_end;
