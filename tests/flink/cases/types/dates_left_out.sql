-- Casts, unlike literals, take days that the calendar left out in 1582.
SELECT CAST('1582-10-10' AS DATE) AS d, CAST('1582-10-10 01:02:03' AS TIMESTAMP(3)) AS t, CAST('1582-10-04' AS DATE) AS e;
