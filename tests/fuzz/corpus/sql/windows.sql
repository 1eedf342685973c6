CREATE TABLE orders (order_id BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'filesystem', 'path' = 'data/o.csv', 'format' = 'csv');
SELECT window_start, COUNT(*) FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE) GROUP BY window_start, window_end;
