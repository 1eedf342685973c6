-- The three largest orders of each half hour.
SELECT window_start, place, order_id, shop, amount, ts
FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY amount DESC) AS place
  FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '30' MINUTE)
)
WHERE place <= 3;
