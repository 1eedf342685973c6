-- Windows that extend a named one; Flink forgets their frame.
CREATE TABLE orders (
  order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
CREATE TABLE nulls (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/nulls.csv', 'format' = 'csv', 'csv.null-literal' = '');
CREATE VIEW few AS SELECT * FROM orders WHERE order_id <= 12;
SELECT id, SUM(v) OVER (w ORDER BY ts) FROM nulls WINDOW w AS (PARTITION BY k);
SELECT id, SUM(v) OVER w2 FROM nulls WINDOW w AS (PARTITION BY k), w2 AS (w ORDER BY ts);
SELECT id, SUM(v) OVER (w ORDER BY ts ROWS 1 PRECEDING) FROM nulls WINDOW w AS (PARTITION BY k);
SELECT id, SUM(v) OVER w2 FROM nulls WINDOW w AS (PARTITION BY k ORDER BY ts), w2 AS (w ROWS 1 PRECEDING);
SELECT id, SUM(v) OVER w2 FROM nulls WINDOW w AS (PARTITION BY k), w2 AS (w ORDER BY ts ROWS 1 PRECEDING);
SELECT id, SUM(v) OVER (w ROWS 1 PRECEDING) FROM nulls WINDOW w AS (ORDER BY ts);
SELECT id, SUM(v) OVER (w), COUNT(*) OVER w FROM nulls WINDOW w AS (PARTITION BY k ORDER BY ts);
SELECT order_id, FIRST_VALUE(amount) OVER w AS f, LAST_VALUE(amount) OVER w AS l, LAG(amount) OVER w AS g FROM few WINDOW w AS (PARTITION BY shop ORDER BY ts);
