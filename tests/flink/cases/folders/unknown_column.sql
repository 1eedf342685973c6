CREATE TABLE h (id INT) PARTITIONED BY (nope) WITH ('connector' = 'filesystem', 'path' = 'data/hive', 'format' = 'csv');
SELECT * FROM h;
