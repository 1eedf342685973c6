CREATE TABLE h (id INT, d TIMESTAMP(3), WATERMARK FOR d AS d) PARTITIONED BY (d) WITH ('connector' = 'filesystem', 'path' = 'data/hive_time', 'format' = 'csv');
SELECT * FROM h;
SELECT window_start, COUNT(*) AS c FROM TUMBLE(TABLE h, DESCRIPTOR(d), INTERVAL '1' HOUR) GROUP BY window_start, window_end;
