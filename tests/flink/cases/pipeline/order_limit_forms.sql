-- ORDER BY with LIMIT, OFFSET and FETCH, by alias and position.
SET 'execution.runtime-mode' = 'batch';
CREATE VIEW v AS SELECT * FROM (VALUES (3, 'c'), (1, 'a'), (2, 'b'), (4, 'd')) AS t(x, y);
SELECT * FROM v ORDER BY x DESC LIMIT 2;
SELECT * FROM v ORDER BY y OFFSET 1 ROWS FETCH NEXT 2 ROWS ONLY;
SELECT y, x AS n FROM v ORDER BY n LIMIT 1 OFFSET 2;
SELECT y, x FROM v ORDER BY 2 LIMIT 1;
