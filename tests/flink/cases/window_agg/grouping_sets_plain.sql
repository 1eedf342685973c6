-- GROUPING SETS without a window.
CREATE VIEW t AS SELECT * FROM (VALUES ('a', 1, 10), ('a', 2, 20), ('b', 1, 30)) AS v(k, n, x);
SELECT k, n, SUM(x) AS s, GROUPING_ID(k, n) AS g FROM t GROUP BY GROUPING SETS ((k), (n), ());
SELECT k, n, COUNT(*) AS c FROM t GROUP BY ROLLUP (k, n);
SELECT k, n, MAX(x) AS m FROM t GROUP BY CUBE (k, n);
