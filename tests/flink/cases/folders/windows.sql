CREATE TABLE h (id INT, ts TIMESTAMP(3), dt STRING, `hour` INT, WATERMARK FOR ts AS ts) PARTITIONED BY (dt, `hour`) WITH ('connector' = 'filesystem', 'path' = 'data/hive', 'format' = 'csv');
SELECT window_start, dt, COUNT(*) AS c FROM TUMBLE(TABLE h, DESCRIPTOR(ts), INTERVAL '1' HOUR) WHERE dt <> '2026-03-02' GROUP BY window_start, window_end, dt;
