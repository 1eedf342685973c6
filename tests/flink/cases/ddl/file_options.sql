-- Options of the sink, of partitions and of idle sources say nothing about reading a file.
CREATE TABLE orders (order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH (
  'connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv', 'sink.parallelism' = '1', 'sink.rolling-policy.file-size' = '1MB',
  'auto-compaction' = 'false', 'partition.default-name' = 'none', 'scan.watermark.idle-timeout' = '1 min', 'scan.watermark.emit.strategy' = 'on-periodic');
SELECT window_start, COUNT(*) AS c FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end;
