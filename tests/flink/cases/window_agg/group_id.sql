-- GROUP_ID is 0.
CREATE TABLE nulls (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/nulls.csv', 'format' = 'csv', 'csv.null-literal' = '');
SELECT GROUP_ID(), k, COUNT(*) FROM nulls GROUP BY ROLLUP (k);
