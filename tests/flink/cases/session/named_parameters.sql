-- Named parameters of SESSION, GAP is its size.
CREATE TABLE orders (
  order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
SELECT window_start, window_end, shop, COUNT(*) AS c FROM SESSION(DATA => TABLE orders PARTITION BY shop, TIMECOL => DESCRIPTOR(ts), GAP => INTERVAL '5' MINUTE) GROUP BY window_start, window_end, shop;
