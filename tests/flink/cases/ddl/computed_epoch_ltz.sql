SET 'table.local-time-zone' = 'Asia/Seoul';
CREATE TABLE t (id BIGINT, k STRING, amt INT, e STRING,
  ts AS TO_TIMESTAMP_LTZ(id * 60000, 3), late AS CAST(amt AS DOUBLE) / 2,
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'filesystem', 'path' = 'data/nullts.csv', 'format' = 'csv', 'csv.null-literal' = '');
SELECT window_start, window_end, COUNT(*) AS c, MAX(late) AS m FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '2' MINUTE) GROUP BY window_start, window_end;
