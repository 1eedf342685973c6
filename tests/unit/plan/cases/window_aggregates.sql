-- GROUP BY both window columns takes the window into the aggregation; less than that does not.
CREATE TABLE orders (order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'filesystem', 'path' = 'orders.csv', 'format' = 'csv');
SELECT window_start, window_end, shop, COUNT(*), SUM(amount) FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE) GROUP BY window_start, window_end, shop;
SELECT window_start, COUNT(*) FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE) GROUP BY window_start;
SELECT shop, window_time, MAX(amount) FROM HOP(TABLE orders, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE, INTERVAL '-1' MINUTE) GROUP BY shop, window_time, window_end, window_start;
SELECT window_end, AVG(amount) FROM CUMULATE(DATA => TABLE orders, TIMECOL => DESCRIPTOR(ts), SIZE => INTERVAL '1' HOUR, STEP => INTERVAL '10' MINUTE) GROUP BY window_start, window_end;
SELECT DISTINCT window_start, window_end FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR);
-- keys and arguments are computed below the window, each once
SELECT UPPER(shop), SUM(amount * 2), MAX(amount * 2) FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end, UPPER(shop);
-- an aggregate over the window's own columns sees the expanded rows
SELECT MAX(window_end) FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end;
-- FILTER and DISTINCT, an aggregate named twice
SELECT COUNT(*) FILTER (WHERE amount > 5), SUM(DISTINCT amount), COUNT(*) + COUNT(*) FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end HAVING COUNT(*) > 1;
-- grouping sets: window columns must be in all of them
SELECT shop, order_id, COUNT(*), GROUPING(shop), GROUPING_ID(shop, order_id) FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end, ROLLUP (shop, order_id);
SELECT window_start, COUNT(*) FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY GROUPING SETS ((window_start, window_end), (shop));
SELECT shop, COUNT(*) FROM orders GROUP BY CUBE (shop, order_id);
-- without GROUP BY: one row
SELECT COUNT(*), SUM(amount) FROM orders;
