SET 'table.local-time-zone' = 'SystemV/PST8';
SELECT TO_TIMESTAMP_LTZ(0, 3) AS a;
