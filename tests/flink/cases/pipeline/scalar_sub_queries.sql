-- A sub-query as a value has one row or none, whatever its form.
CREATE TABLE orders (
  order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
CREATE TABLE nulls (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/nulls.csv', 'format' = 'csv', 'csv.null-literal' = '');
CREATE VIEW few AS SELECT * FROM orders WHERE order_id <= 12;
SELECT order_id, (SELECT shop FROM few WHERE order_id = 1) FROM few;
SELECT order_id FROM few WHERE amount > (SELECT amount FROM few WHERE order_id = 999);
SELECT order_id, (SELECT amount FROM orders o WHERE o.order_id = f.order_id) m FROM few f;
SELECT COALESCE((SELECT shop FROM few WHERE order_id = 999), 'none');
SELECT (SELECT id FROM nulls WHERE id = 1) + 1;
SELECT * FROM few WHERE order_id = (SELECT id FROM nulls WHERE id = 3);
CREATE TABLE n2 (id INT, k STRING, v INT, ts TIMESTAMP(3)) WITH ('connector' = 'filesystem', 'path' = 'data/nulls.csv', 'format' = 'csv', 'csv.null-literal' = ''); SELECT id, (SELECT v FROM n2 WHERE id = 100) FROM nulls WHERE id < 3;
SELECT id, (SELECT v FROM nulls n WHERE n.id = m.id + 1) FROM nulls m;
