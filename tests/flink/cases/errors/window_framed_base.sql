-- A window with a frame cannot be extended.
CREATE TABLE nulls (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/nulls.csv', 'format' = 'csv', 'csv.null-literal' = '');
SELECT id, SUM(v) OVER (w) FROM nulls WINDOW w AS (PARTITION BY k ORDER BY ts ROWS 1 PRECEDING);
