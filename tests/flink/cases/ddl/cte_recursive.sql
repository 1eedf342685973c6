-- The word RECURSIVE changes nothing for queries that do not read themselves.
CREATE TABLE t (region STRING, tier INT, chan STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/multikey.csv', 'format' = 'csv');
WITH RECURSIVE big AS (SELECT * FROM t WHERE v > 100), few (w, c) AS (SELECT window_start, COUNT(*) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTE) GROUP BY window_start, window_end)
SELECT w, c, (SELECT COUNT(*) FROM big) AS n FROM few;
WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT * FROM r;
