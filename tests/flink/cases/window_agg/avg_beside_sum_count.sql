-- AVG beside SUM and COUNT of the same rows is their quotient, so that it has the sum as it wrapped around.
CREATE TABLE n (
  id INT, k STRING, ti TINYINT, si SMALLINT, i INT, b BIGINT, f FLOAT, d DOUBLE, dc DECIMAL(10, 2), ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/nums.csv', 'format' = 'csv', 'csv.null-literal' = '');
SELECT k, SUM(ti) AS s, COUNT(ti) AS c, AVG(ti) AS a FROM TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '10' MINUTE) GROUP BY window_start, window_end, k;
SELECT k, SUM(i) AS s, COUNT(*) AS c, AVG(i) AS a FROM TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '10' MINUTE) GROUP BY window_start, window_end, k;
SELECT k, AVG(i) AS a FROM HOP(TABLE n, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '20' MINUTE) GROUP BY window_start, window_end, k HAVING SUM(i) IS NOT NULL AND COUNT(i) > 0;
SELECT k, SUM(DISTINCT i) AS s, COUNT(DISTINCT i) AS c, AVG(DISTINCT i) AS a FROM TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '10' MINUTE) GROUP BY window_start, window_end, k;
SELECT k, SUM(si) FILTER (WHERE id > 0) AS s, COUNT(si) FILTER (WHERE id > 0) AS c, AVG(si) FILTER (WHERE id > 0) AS a FROM TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '10' MINUTE) GROUP BY window_start, window_end, k;
SELECT k, SUM(i) AS s, COUNT(i) AS c, AVG(i) AS a FROM n GROUP BY k;
