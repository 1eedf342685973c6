-- A literal NULL whose type nothing tells.
SELECT ROW(1, NULL);
