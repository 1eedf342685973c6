SET 'table.local-time-zone' = 'EST';
SELECT TO_TIMESTAMP_LTZ(0, 3) AS a;
