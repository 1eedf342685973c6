SET 'table.local-time-zone' = 'utc';
SELECT TO_TIMESTAMP_LTZ(0, 3) AS a;
