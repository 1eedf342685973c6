-- Names of parameters are in capitals.
CREATE TABLE orders (
  order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
SELECT * FROM TUMBLE(data => TABLE orders, timecol => DESCRIPTOR(ts), size => INTERVAL '10' MINUTE);
