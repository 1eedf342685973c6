CREATE TABLE orders (order_id BIGINT, shop STRING, amount INT, price DECIMAL(8,2), ts TIMESTAMP(3), f STRING NOT NULL METADATA FROM 'file.name', WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector'='filesystem','path'='data/json/orders.json','format'='json');
SELECT window_start, window_end, shop, COUNT(*) AS cnt, SUM(amount) AS total, SUM(price) AS p FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE) GROUP BY window_start, window_end, shop;
SELECT window_end, COUNT(*) AS c FROM SESSION(TABLE orders PARTITION BY shop, DESCRIPTOR(ts), INTERVAL '5' MINUTE) GROUP BY window_start, window_end, shop;
SELECT f, order_id, price FROM orders WHERE shop = '명동' AND price > 50;
