-- IN with a sub-query as a value has three answers.
CREATE TABLE orders (
  order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
CREATE TABLE nulls (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/nulls.csv', 'format' = 'csv', 'csv.null-literal' = '');
CREATE VIEW few AS SELECT * FROM orders WHERE order_id <= 12;
SELECT order_id, CASE WHEN shop IN (SELECT shop FROM few WHERE amount > 90000) THEN 1 ELSE 0 END FROM few;
SELECT order_id, shop IN (SELECT shop FROM few WHERE order_id < 3) AS i FROM few;
SELECT id, v IN (SELECT v FROM nulls WHERE id < 4) FROM nulls;
SELECT id, v NOT IN (SELECT v FROM nulls WHERE id < 3) FROM nulls;
SELECT id FROM nulls WHERE NOT (v IN (SELECT v FROM nulls WHERE id < 3) AND k = 'a');
