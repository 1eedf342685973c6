CREATE TABLE h (id INT, dt STRING) PARTITIONED BY (dt) WITH ('connector' = 'filesystem', 'path' = 'data/hive_null', 'format' = 'csv');
SELECT * FROM h;
