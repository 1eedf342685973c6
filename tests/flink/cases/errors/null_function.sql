-- A literal NULL whose type nothing tells.
SELECT UPPER(NULL);
