SET 'execution.runtime-mode' = 'batch';
CREATE TABLE orders (
  order_id BIGINT,
  shop STRING,
  amount INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'windows_orders.csv',
  'format' = 'csv'
);
SELECT o.orders, h.hop_assignments, c.cumulate_windows, s.sessions, s.max_session_orders
FROM (SELECT COUNT(*) AS orders FROM orders) AS o
CROSS JOIN (
  SELECT COUNT(*) AS hop_assignments
  FROM HOP(TABLE orders, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE)
) AS h
CROSS JOIN (
  SELECT COUNT(*) AS cumulate_windows
  FROM (
    SELECT window_start, window_end
    FROM CUMULATE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '1' HOUR)
    GROUP BY window_start, window_end
  )
) AS c
CROSS JOIN (
  SELECT COUNT(*) AS sessions, MAX(cnt) AS max_session_orders
  FROM (
    SELECT window_start, window_end, shop, COUNT(*) AS cnt
    FROM SESSION(TABLE orders PARTITION BY shop, DESCRIPTOR(ts), INTERVAL '5' MINUTE)
    GROUP BY window_start, window_end, shop
  )
) AS s;
