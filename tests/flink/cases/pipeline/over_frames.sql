SET 'execution.runtime-mode' = 'batch';
CREATE TABLE o (order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)
WITH ('connector'='filesystem','path'='data/windows_orders.csv','format'='csv');
SELECT order_id, shop, amount,
 SUM(amount) OVER (PARTITION BY shop ORDER BY ts ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING) a,
 COUNT(*) OVER (PARTITION BY shop) c, MIN(amount) OVER (ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) m,
 MAX(amount) OVER (PARTITION BY shop ORDER BY amount DESC RANGE BETWEEN 20000 PRECEDING AND CURRENT ROW) x,
 SUM(amount) OVER (PARTITION BY shop ORDER BY ts ROWS BETWEEN 5 PRECEDING AND 3 PRECEDING) p
FROM o;
