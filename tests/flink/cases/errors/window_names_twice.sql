-- Two windows of one name.
CREATE TABLE nulls (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/nulls.csv', 'format' = 'csv', 'csv.null-literal' = '');
SELECT id, SUM(v) OVER w FROM nulls WINDOW w AS (PARTITION BY k ORDER BY ts), w AS (ORDER BY ts);
