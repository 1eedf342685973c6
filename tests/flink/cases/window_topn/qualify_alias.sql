-- QUALIFY knows the names of the select list.
CREATE TABLE t (
  id BIGINT, k STRING, amt INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/ties.csv', 'format' = 'csv');
SELECT id, k, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY amt DESC, id) AS rn
FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' MINUTE)
QUALIFY rn <= 2;
