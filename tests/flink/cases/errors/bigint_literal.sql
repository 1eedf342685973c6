-- A whole number that no BIGINT holds.
SELECT 9223372036854775808 AS x;
