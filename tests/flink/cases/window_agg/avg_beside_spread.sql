-- With a STDDEV or VAR, AVG is SUM divided by COUNT, so that it has the sum as it wrapped around.
CREATE TABLE n (
  id INT, k STRING, ti TINYINT, si SMALLINT, i INT, b BIGINT, f FLOAT, d DOUBLE, dc DECIMAL(10, 2), ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/nums.csv', 'format' = 'csv', 'csv.null-literal' = '');
SELECT k, AVG(i) AS a, STDDEV_POP(ti) AS s FROM TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '10' MINUTE) GROUP BY window_start, window_end, k;
SELECT k, AVG(i * 2) AS a, VAR_SAMP(b) AS v FROM TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '10' MINUTE) GROUP BY window_start, window_end, k;
SELECT k, AVG(i) FILTER (WHERE id > 0) AS a, STDDEV(b) AS s FROM TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '10' MINUTE) GROUP BY window_start, window_end, k;
SELECT k, AVG(i) AS a, AVG(ti) AS t, SUM(i) AS s, COUNT(i) AS c FROM TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '10' MINUTE) GROUP BY window_start, window_end, k;
SELECT k, AVG(i) AS a, SUM(i) AS s, COUNT(i) AS c, AVG(ti) AS t, SUM(ti) AS st, COUNT(ti) AS ct FROM TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '10' MINUTE) GROUP BY window_start, window_end, k;
