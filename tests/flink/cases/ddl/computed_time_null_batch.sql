SET 'execution.runtime-mode' = 'batch';
CREATE TABLE t (id BIGINT, k STRING, amt INT, e STRING, ts AS TO_TIMESTAMP(e), WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'path' = 'data/nullts.csv', 'format' = 'csv', 'csv.null-literal' = '');
SELECT window_start, COUNT(*) AS c FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' MINUTE) GROUP BY window_start, window_end;
SELECT id, ts FROM t;
