-- A literal NULL whose type nothing tells.
SELECT 1 AS a UNION ALL SELECT NULL;
