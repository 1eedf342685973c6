-- UNNEST before and after windows.
CREATE TABLE nested (id INT, r ROW<a INT, b STRING, c ROW<d INT, e ARRAY<INT>>>, m MAP<STRING, INT>, l ARRAY<ROW<x INT, y STRING>>, s ARRAY<STRING>, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'path' = 'data/json/nested_rows.json', 'format' = 'json');
CREATE VIEW u AS SELECT ts, x FROM nested CROSS JOIN UNNEST(s) AS t(x); SELECT window_start, x, COUNT(*) FROM TUMBLE(TABLE u, DESCRIPTOR(ts), INTERVAL '5' MINUTE) GROUP BY window_start, window_end, x;
SELECT window_start, x, COUNT(*) FROM TUMBLE((SELECT ts, x FROM nested CROSS JOIN UNNEST(s) AS t(x)), DESCRIPTOR(ts), INTERVAL '5' MINUTE) GROUP BY window_start, window_end, x;
SELECT window_start, x FROM TUMBLE(TABLE nested, DESCRIPTOR(ts), INTERVAL '5' MINUTE) CROSS JOIN UNNEST(s) AS t(x);
