-- A session aggregation is one only when its other keys are exactly those of PARTITION BY.
CREATE TABLE orders (order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'filesystem', 'path' = 'orders.csv', 'format' = 'csv');
SELECT window_start, window_end, shop, COUNT(*) FROM SESSION(TABLE orders PARTITION BY shop, DESCRIPTOR(ts), INTERVAL '5' MINUTE) GROUP BY window_start, window_end, shop;
SELECT window_start, window_end, COUNT(*) FROM SESSION(TABLE orders PARTITION BY (shop, amount), DESCRIPTOR(ts), INTERVAL '5' MINUTE) GROUP BY amount, window_start, window_end, shop;
SELECT window_start, window_end, COUNT(*) FROM SESSION(TABLE orders, DESCRIPTOR(ts), INTERVAL '5' MINUTE) GROUP BY window_start, window_end;
SELECT window_start, shop, COUNT(*) FROM SESSION(TABLE orders, DESCRIPTOR(ts), INTERVAL '5' MINUTE) GROUP BY window_start, window_end, shop;
SELECT window_start, COUNT(*) FROM SESSION(TABLE orders PARTITION BY shop, DESCRIPTOR(ts), INTERVAL '5' MINUTE) GROUP BY window_start, window_end;
SELECT * FROM SESSION(DATA => TABLE orders PARTITION BY shop, TIMECOL => DESCRIPTOR(ts), GAP => INTERVAL '5' MINUTE);
SELECT * FROM SESSION(TABLE orders PARTITION BY nope, DESCRIPTOR(ts), INTERVAL '5' MINUTE);
SELECT * FROM SESSION(TABLE orders PARTITION BY shop, amount, DESCRIPTOR(ts), INTERVAL '5' MINUTE);
SELECT * FROM SESSION(TABLE orders PARTITION BY shop || 'x', DESCRIPTOR(ts), INTERVAL '5' MINUTE);
SELECT * FROM TUMBLE(TABLE orders PARTITION BY shop, DESCRIPTOR(ts), INTERVAL '5' MINUTE);
