-- A literal NULL whose type nothing tells.
SELECT NULL;
