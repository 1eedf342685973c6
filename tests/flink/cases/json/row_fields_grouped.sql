-- Fields of rows as keys without a window.
CREATE TABLE nested (id INT, r ROW<a INT, b STRING, c ROW<d INT, e ARRAY<INT>>>, m MAP<STRING, INT>, l ARRAY<ROW<x INT, y STRING>>, s ARRAY<STRING>, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'path' = 'data/json/nested_rows.json', 'format' = 'json');
SELECT r.a, COUNT(*) FROM nested GROUP BY r.a;
SELECT r.b AS bb, COUNT(*) FROM nested GROUP BY r.b ORDER BY bb;
