-- LEAD, NTILE, PERCENT_RANK and CUME_DIST.
SET 'execution.runtime-mode' = 'batch';
CREATE TABLE orders (
  order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
CREATE TABLE nulls (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/nulls.csv', 'format' = 'csv', 'csv.null-literal' = '');
CREATE VIEW few AS SELECT * FROM orders WHERE order_id <= 12;
SELECT id, LEAD(v) OVER (ORDER BY ts) FROM nulls;
SELECT id, LAG(v, -1) OVER (ORDER BY ts) FROM nulls;
SELECT id, NTILE(3) OVER (ORDER BY ts) FROM nulls;
SELECT id, NTILE(4) OVER (PARTITION BY k ORDER BY id) FROM nulls;
SELECT id, NTILE(100) OVER (ORDER BY ts) FROM nulls;
SELECT id, PERCENT_RANK() OVER (ORDER BY v) FROM nulls;
SELECT id, PERCENT_RANK() OVER (PARTITION BY k ORDER BY v) FROM nulls;
SELECT id, CUME_DIST() OVER (ORDER BY v) FROM nulls;
SELECT id, CUME_DIST() OVER (PARTITION BY k ORDER BY v DESC) FROM nulls;
SELECT id, LAG(v) OVER w, ROW_NUMBER() OVER w, SUM(v) OVER w FROM nulls WINDOW w AS (PARTITION BY k ORDER BY id);
SELECT order_id, LAG(amount, 1, CAST(0 AS BIGINT)) OVER (ORDER BY ts) FROM few;
SELECT order_id, LEAD(amount, 1 + 1, -1) OVER (ORDER BY ts) FROM few;
SELECT order_id, LAG(amount) OVER (PARTITION BY shop ORDER BY order_id), LEAD(amount) OVER (PARTITION BY shop ORDER BY order_id), NTILE(2) OVER (ORDER BY amount DESC), CUME_DIST() OVER (PARTITION BY shop ORDER BY amount), PERCENT_RANK() OVER (PARTITION BY shop ORDER BY amount) FROM few;
SELECT shop, NTILE(3) OVER (ORDER BY SUM(amount) DESC), LAG(SUM(amount)) OVER (ORDER BY shop) FROM few GROUP BY shop;
SELECT order_id, NTILE(2) OVER (PARTITION BY shop ORDER BY amount) AS nt FROM few QUALIFY nt = 1;
SELECT shop, window_start, c, c - LAG(c, 1, CAST(0 AS BIGINT)) OVER (PARTITION BY shop ORDER BY window_start) AS diff FROM (SELECT shop, window_start, COUNT(*) c FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '30' MINUTE) GROUP BY shop, window_start, window_end);
