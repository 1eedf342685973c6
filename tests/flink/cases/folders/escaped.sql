CREATE TABLE h (id INT, k STRING) PARTITIONED BY (k) WITH ('connector' = 'filesystem', 'path' = 'data/hive_escaped', 'format' = 'csv');
SELECT * FROM h;
