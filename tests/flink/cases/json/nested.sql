CREATE TABLE t (r ROW<x INT, y STRING>, ar ARRAY<INT>, m MAP<STRING, INT>, rr ARRAY<ROW<x INT>>, aa ARRAY<ARRAY<INT>>) WITH ('connector'='filesystem','path'='data/json/nested.json','format'='json');
SELECT * FROM t;
SELECT ar[1] AS f, CARDINALITY(ar) AS c, m['k'] AS k FROM t;
