SET 'table.local-time-zone' = 'UTC+09:00';
SELECT TO_TIMESTAMP_LTZ(0, 3) AS a;
