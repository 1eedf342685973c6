-- NaN is the largest, so it comes first from above and last from below.
SET 'execution.runtime-mode' = 'batch';
CREATE VIEW t AS SELECT * FROM (VALUES (1, 2.5e0), (2, CAST('NaN' AS DOUBLE)), (3, -1e0), (4, CAST('Infinity' AS DOUBLE))) AS v(id, x);
SELECT id, x FROM t ORDER BY x;
SELECT id, x FROM t ORDER BY x DESC LIMIT 2;
SELECT id, x, n FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY x DESC) AS n FROM t) WHERE n <= 2;
