-- A literal NULL whose type nothing tells.
SELECT * FROM (VALUES (1, NULL), (2, NULL)) AS t(a, b);
