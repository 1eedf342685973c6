-- Conditions go below the window function when they do not concern it; on the window's columns alone they
-- go above the aggregation; a condition on both keeps the rows expanded.
CREATE TABLE orders (order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'filesystem', 'path' = 'orders.csv', 'format' = 'csv');
SELECT window_start, COUNT(*) FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR) WHERE amount > 10 AND shop = 'a' GROUP BY window_start, window_end;
SELECT window_start, COUNT(*) FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR) WHERE window_end <= TIMESTAMP '2026-01-01 00:00:00' GROUP BY window_start, window_end;
SELECT window_start, COUNT(*) FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR) WHERE window_time < TIMESTAMP '2026-01-01 00:00:00' GROUP BY window_start, window_end;
SELECT window_start, COUNT(*) FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR) WHERE ts < window_end - INTERVAL '5' MINUTE GROUP BY window_start, window_end;
SELECT * FROM HOP(TABLE orders, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE) WHERE order_id IN (1, 50) AND window_start > TIMESTAMP '2026-01-01 00:00:00';
-- HAVING on a key is a condition on the rows
SELECT shop, COUNT(*) FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end, shop HAVING shop = 'a' AND COUNT(*) > 2;
-- through a view with computed columns
CREATE VIEW doubled AS SELECT shop, amount * 2 AS twice, ts AS rt FROM orders WHERE shop <> 'x';
SELECT window_start, SUM(twice), AVG(twice) FROM TUMBLE(TABLE doubled, DESCRIPTOR(rt), INTERVAL '1' HOUR) WHERE twice > 4 GROUP BY window_start, window_end;
-- sessions: whole keys are dropped before the sessions are made, other rows only where Flink makes one
-- operator of window and aggregation
SELECT window_start, shop, COUNT(*) FROM SESSION(TABLE orders PARTITION BY shop, DESCRIPTOR(ts), INTERVAL '5' MINUTE) WHERE shop = 'a' GROUP BY window_start, window_end, shop;
SELECT window_start, shop, COUNT(*) FROM SESSION(TABLE orders PARTITION BY shop, DESCRIPTOR(ts), INTERVAL '5' MINUTE) WHERE amount > 3 GROUP BY window_start, window_end, shop;
-- not with a condition on the window beside it; conditions on the window alone may
SELECT window_start, shop, COUNT(*) FROM SESSION(TABLE orders PARTITION BY shop, DESCRIPTOR(ts), INTERVAL '5' MINUTE) WHERE amount > 3 AND window_start < TIMESTAMP '2026-01-01 00:00:00' GROUP BY window_start, window_end, shop;
SELECT window_start, shop, COUNT(*) FROM SESSION(TABLE orders PARTITION BY shop, DESCRIPTOR(ts), INTERVAL '5' MINUTE) WHERE window_start < TIMESTAMP '2026-01-01 00:00:00' GROUP BY window_start, window_end, shop;
SELECT order_id FROM SESSION(TABLE orders PARTITION BY shop, DESCRIPTOR(ts), INTERVAL '5' MINUTE) WHERE amount > 3;
