-- IN, EXISTS, their negations and a value that depends on the row.
CREATE TABLE orders (
  order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
CREATE VIEW few AS SELECT * FROM orders WHERE order_id <= 12;
SELECT order_id FROM few WHERE shop IN (SELECT shop FROM orders WHERE amount > 95000);
SELECT order_id FROM few WHERE shop NOT IN (SELECT shop FROM orders WHERE order_id = 1);
SELECT order_id FROM few AS f WHERE EXISTS (SELECT * FROM orders AS o WHERE o.shop = f.shop AND o.amount > 95000);
SELECT order_id FROM few AS f WHERE NOT EXISTS (SELECT * FROM orders AS o WHERE o.shop = f.shop AND o.order_id = 1);
SELECT order_id FROM few AS f WHERE amount > (SELECT AVG(amount) FROM orders AS o WHERE o.shop = f.shop);
