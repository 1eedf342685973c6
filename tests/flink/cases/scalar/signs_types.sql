-- The sign -, IS FALSE, rows in parentheses and TYPEOF of columns.
CREATE TABLE t (order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3)) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
SELECT -order_id, -(-amount), (amount > 50000) IS FALSE, (order_id, shop), TYPEOF(order_id), TYPEOF(shop), TYPEOF(ts), TYPEOF(amount * 1.5) FROM t WHERE order_id <= 3;
