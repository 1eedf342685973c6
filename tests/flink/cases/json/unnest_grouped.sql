-- UNNEST of what an aggregate and a text give.
CREATE TABLE orders (
  order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
CREATE VIEW few AS SELECT * FROM orders WHERE order_id <= 12;
SELECT word, COUNT(*) FROM few CROSS JOIN UNNEST(SPLIT(shop, 'a')) AS t(word) GROUP BY word;
SELECT x, COUNT(*) FROM (SELECT COLLECT(shop) c FROM few) CROSS JOIN UNNEST(c) AS t(x) GROUP BY x;
SELECT x FROM (SELECT ARRAY_AGG(shop) c FROM few) CROSS JOIN UNNEST(c) AS t(x);
