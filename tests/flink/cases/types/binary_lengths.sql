-- BINARY is filled or cut to its length, VARBINARY only cut.
SELECT CAST(X'0a0b0c' AS BINARY(2)) AS b2, CAST(X'0a' AS BINARY(3)) AS b3, CAST(X'0a0b0c' AS VARBINARY(2)) AS v2, CAST(X'0a' AS VARBINARY(3)) AS v3, CAST('ab' AS BYTES) AS t;
