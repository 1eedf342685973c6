-- Sessions of each shop that end after 120 quiet seconds.
SELECT shop, COUNT(*) AS n, MIN(ts) AS first_ts, MAX(ts) AS last_ts
FROM SESSION(TABLE orders PARTITION BY shop, DESCRIPTOR(ts), INTERVAL '120' SECOND(3))
GROUP BY window_start, window_end, shop;
