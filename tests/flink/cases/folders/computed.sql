CREATE TABLE h (id INT, ts TIMESTAMP(3), dt STRING, `hour` INT, x AS id + `hour`, p STRING METADATA FROM 'file.name', WATERMARK FOR ts AS ts) PARTITIONED BY (dt, `hour`) WITH ('connector' = 'filesystem', 'path' = 'data/hive', 'format' = 'csv');
SELECT id, x, p FROM h WHERE dt LIKE '2026%';
