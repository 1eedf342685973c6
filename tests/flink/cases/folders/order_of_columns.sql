CREATE TABLE h (dt STRING, id INT, `hour` INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) PARTITIONED BY (dt, `hour`) WITH ('connector' = 'filesystem', 'path' = 'data/hive', 'format' = 'csv');
SELECT * FROM h;
