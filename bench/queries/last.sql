-- The last order of each shop in ten minutes.
SELECT window_start, shop, order_id, amount, ts
FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, shop ORDER BY ts DESC) AS place
  FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
)
WHERE place = 1;
