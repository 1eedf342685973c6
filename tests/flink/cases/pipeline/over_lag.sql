-- LAG: offsets, defaults, partitions, named windows.
CREATE TABLE orders (
  order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
CREATE TABLE nulls (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/nulls.csv', 'format' = 'csv', 'csv.null-literal' = '');
CREATE VIEW few AS SELECT * FROM orders WHERE order_id <= 12;
SELECT id, LAG(v) OVER (ORDER BY ts) FROM nulls;
SELECT id, LAG(v, 2) OVER (ORDER BY ts) FROM nulls;
SELECT id, LAG(v, 0) OVER (ORDER BY ts) FROM nulls;
SELECT id, LAG(v, 1, id) OVER (ORDER BY ts) FROM nulls;
SELECT id, LAG(v) IGNORE NULLS OVER (ORDER BY ts) FROM nulls;
SELECT id, LAG(ts) OVER (PARTITION BY k ORDER BY ts) FROM nulls;
SELECT id, TIMESTAMPDIFF(SECOND, LAG(ts) OVER (PARTITION BY k ORDER BY ts), ts) FROM nulls;
SELECT id, v - LAG(v, 1, 0) OVER (PARTITION BY k ORDER BY ts) AS d FROM nulls;
SELECT id, LAG(v) OVER (ORDER BY id) FROM nulls;
SELECT order_id, LAG(shop, 1, 'a-very-long-default') OVER (ORDER BY ts) FROM (SELECT order_id, CAST(shop AS VARCHAR(8)) shop, ts FROM few);
SELECT order_id, LAG(ts, 1, TIMESTAMP '2020-01-01 00:00:00') OVER (ORDER BY ts) FROM few;
SELECT order_id, LAG(ts, 1, ts) OVER (ORDER BY ts) FROM few;
SELECT order_id, LAG(amount, 100) OVER (ORDER BY ts) FROM few;
SELECT order_id, LAG(amount, 1 + 1) OVER (ORDER BY ts) FROM few;
SELECT shop, c, LAG(c) OVER (PARTITION BY shop ORDER BY window_time) FROM (SELECT shop, window_time, COUNT(*) c FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '30' MINUTE) GROUP BY shop, window_start, window_end, window_time);
