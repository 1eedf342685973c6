-- A condition on a rank becomes its range, in all its forms; the rest stays a filter.
CREATE TABLE orders (order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'filesystem', 'path' = 'orders.csv', 'format' = 'csv');
CREATE VIEW ranked AS SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY amount DESC) AS n FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR);
SELECT order_id, n FROM ranked WHERE n <= 3;
SELECT order_id FROM ranked WHERE n < 3;
SELECT order_id FROM ranked WHERE 3 > n;
SELECT order_id FROM ranked WHERE n = 2;
SELECT order_id FROM ranked WHERE n BETWEEN 2 AND 4;
SELECT order_id FROM ranked WHERE n > 1 AND 4 >= n AND shop = 'a';
SELECT order_id FROM ranked WHERE n <= 2 AND window_end <= TIMESTAMP '2026-01-01 00:00:00';
SELECT order_id FROM ranked WHERE n >= 2;
SELECT order_id FROM ranked WHERE n = amount;
SELECT order_id FROM ranked WHERE n <= 2 OR shop = 'a';
SELECT order_id, shop FROM ranked;
-- deduplication: only the latest by a time attribute keeps the last arrival
SELECT order_id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY shop ORDER BY ts DESC) AS n FROM orders) WHERE n = 1;
SELECT order_id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY shop ORDER BY ts ASC) AS n FROM orders) WHERE n <= 1;
SELECT order_id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY shop ORDER BY ts DESC) AS n FROM orders) WHERE n <= 2;
SELECT order_id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY shop ORDER BY amount DESC) AS n FROM orders) WHERE n = 1;
-- QUALIFY, named windows, expressions, NULLS FIRST and LAST
SELECT order_id, RANK() OVER w AS r FROM orders WINDOW w AS (PARTITION BY shop ORDER BY amount % 10 DESC NULLS FIRST) QUALIFY RANK() OVER w <= 2;
SELECT shop, SUM(amount) AS s, DENSE_RANK() OVER (ORDER BY SUM(amount) ASC NULLS LAST) AS r FROM orders GROUP BY shop QUALIFY r_ < 3;
SELECT shop, SUM(amount) AS s, DENSE_RANK() OVER (ORDER BY SUM(amount) ASC NULLS LAST) AS r FROM orders GROUP BY shop;
-- mistakes
SELECT ROW_NUMBER() OVER (PARTITION BY shop) FROM orders;
SELECT order_id FROM orders WHERE ROW_NUMBER() OVER (ORDER BY ts) = 1;
SELECT ROW_NUMBER() OVER v FROM orders;
SELECT SUM(amount) OVER (ORDER BY ts) FROM orders;
SELECT COUNT(ROW_NUMBER() OVER (ORDER BY ts)) FROM orders;
SET 'execution.runtime-mode' = 'batch';
SELECT order_id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY shop ORDER BY ts DESC) AS n FROM orders) WHERE n = 1;
