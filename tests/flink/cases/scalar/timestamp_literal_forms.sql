-- Timestamps and dates with few digits, and a timestamp without a time.
SELECT TIMESTAMP '2024-01-02' AS a, TIMESTAMP '2024-1-2 3:4:5.67' AS b, DATE '2024-1-2' AS c, TIME '3:4:5' AS d;
