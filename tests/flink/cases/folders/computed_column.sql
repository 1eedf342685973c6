CREATE TABLE h (id INT, dt STRING, x AS id + 1) PARTITIONED BY (x) WITH ('connector' = 'filesystem', 'path' = 'data/hive', 'format' = 'csv');
SELECT * FROM h;
