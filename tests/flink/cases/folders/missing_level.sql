CREATE TABLE h (id INT, ts TIMESTAMP(3), dt STRING, `hour` INT, WATERMARK FOR ts AS ts) PARTITIONED BY (dt, `hour`) WITH ('connector' = 'filesystem', 'path' = 'data/hive_missing', 'format' = 'csv');
SELECT id FROM h;
