-- Arrays whose elements differ meet in one type.
CREATE TABLE nested (id INT, r ROW<a INT, b STRING, c ROW<d INT, e ARRAY<INT>>>, m MAP<STRING, INT>, l ARRAY<ROW<x INT, y STRING>>, s ARRAY<STRING>, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'path' = 'data/json/nested_rows.json', 'format' = 'json');
SELECT id, COALESCE(s, ARRAY['none']) FROM nested;
SELECT id, CASE WHEN id = 1 THEN s ELSE ARRAY['z'] END FROM nested;
