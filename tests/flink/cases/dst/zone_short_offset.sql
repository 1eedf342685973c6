SET 'table.local-time-zone' = 'GMT+9';
SELECT TO_TIMESTAMP_LTZ(0, 3) AS a;
