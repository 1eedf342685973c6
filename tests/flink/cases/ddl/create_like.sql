-- LIKE takes columns and options of another table.
CREATE TABLE base (order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3)) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
CREATE TABLE timed (WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) LIKE base;
SELECT window_start, COUNT(*) AS c FROM TUMBLE(TABLE timed, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end;
