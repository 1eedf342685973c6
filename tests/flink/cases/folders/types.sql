CREATE TABLE h (id INT, d DATE, k BOOLEAN) PARTITIONED BY (d, k) WITH ('connector' = 'filesystem', 'path' = 'data/hive_types', 'format' = 'csv');
SELECT * FROM h;
SELECT id FROM h WHERE d > DATE '2026-03-04';
