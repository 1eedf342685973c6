CREATE TABLE h (id INT, ts TIMESTAMP(3), dt STRING, `hour` INT, WATERMARK FOR ts AS ts) PARTITIONED BY (dt, `hour`) WITH ('connector' = 'filesystem', 'path' = 'data/hive', 'format' = 'csv');
SELECT * FROM h;
SELECT id FROM h WHERE dt = '2026-03-01' AND `hour` > 9;
SELECT id, dt FROM h WHERE dt IS NULL;
SELECT id FROM h WHERE id + `hour` > 10 AND dt LIKE '2026%' AND (dt = '2026-03-02' OR `hour` = 10);
DESCRIBE h;
