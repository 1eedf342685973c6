-- A time attribute goes through names, aliases and views, is lost by computing, and comes back as
-- window_time of a window that is grouped by.
CREATE TABLE orders (order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'filesystem', 'path' = 'orders.csv', 'format' = 'csv');
CREATE VIEW renamed AS SELECT ts AS rt, shop FROM (SELECT * FROM orders) AS o (a, shop, b, ts);
DESCRIBE renamed;
CREATE VIEW computed AS SELECT ts + INTERVAL '1' DAY AS later, CAST(ts AS TIMESTAMP(3)) AS same, COALESCE(ts, ts) AS c FROM orders GROUP BY ts;
CREATE VIEW computed AS SELECT ts + INTERVAL '1' DAY AS later, CAST(ts AS TIMESTAMP(3)) AS same, COALESCE(ts, ts) AS c FROM orders;
DESCRIBE computed;
CREATE VIEW grouped AS SELECT window_start, window_end, window_time AS rt, COUNT(*) AS c FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '5' MINUTE) GROUP BY window_start, window_end, window_time;
DESCRIBE grouped;
CREATE VIEW half AS SELECT window_time AS rt FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '5' MINUTE) GROUP BY window_start, window_time;
DESCRIBE half;
CREATE VIEW keyed AS SELECT ts, COUNT(*) AS c FROM orders GROUP BY ts;
DESCRIBE keyed;
-- cascade
SELECT window_start, SUM(c) FROM TUMBLE(TABLE (SELECT rt, c FROM grouped), DESCRIPTOR(rt), INTERVAL '1' HOUR) GROUP BY window_start, window_end;
SELECT ts FROM orders UNION ALL SELECT ts FROM orders;
SELECT ts FROM orders UNION ALL SELECT CAST(NULL AS TIMESTAMP(3));
CREATE VIEW twice AS SELECT * FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '5' MINUTE);
SELECT ts, shop FROM TUMBLE(TABLE twice, DESCRIPTOR(ts), INTERVAL '10' MINUTE);
SELECT * FROM TUMBLE(TABLE twice, DESCRIPTOR(window_time), INTERVAL '10' MINUTE);
CREATE TABLE locals (id INT, ts TIMESTAMP_LTZ(3), sec TIMESTAMP(0), WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem');
SELECT * FROM TUMBLE(TABLE locals, DESCRIPTOR(ts), INTERVAL '1' DAY);
