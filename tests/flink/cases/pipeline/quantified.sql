-- Comparisons with ANY, SOME and ALL: of lists and sub-queries, with NULLs, without rows, depending on the outer row, as values and in HAVING.
CREATE TABLE nulls (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/nulls.csv', 'format' = 'csv', 'csv.null-literal' = '');
CREATE TABLE t (region STRING, tier INT, chan STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/multikey.csv', 'format' = 'csv');
SELECT id, v FROM nulls WHERE v > ANY (2, 30) AND v < ALL (50, 60);
SELECT id, v = SOME (1, 2, 3) AS a, v <> ALL (1, 2, CAST(NULL AS INT)) AS b, v >= ANY (SELECT v FROM nulls WHERE v IS NOT NULL) AS c FROM nulls;
SELECT id, v > ANY (SELECT v FROM nulls) AS a, v <= ALL (SELECT v FROM nulls) AS b, v <> ANY (SELECT v FROM nulls WHERE id < 4) AS c, v = ALL (SELECT v FROM nulls WHERE id = 2) AS d FROM nulls;
SELECT id, v > ANY (SELECT v FROM nulls WHERE id < 0) AS a, v > ALL (SELECT v FROM nulls WHERE id < 0) AS b, v = ANY (SELECT v FROM nulls WHERE id < 0) AS c, v < SOME (SELECT v FROM nulls WHERE v IS NULL) AS d FROM nulls;
SELECT region, chan, v FROM t WHERE v >= ALL (SELECT v FROM t AS u WHERE u.region = t.region);
SELECT region, v FROM t WHERE v < ANY (SELECT MIN(v) + 20 FROM t GROUP BY region) AND region <> ALL (SELECT k FROM nulls WHERE k IS NOT NULL);
SELECT window_start, region, SUM(v) AS s FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTE) GROUP BY window_start, window_end, region
  HAVING SUM(v) >= ALL (SELECT SUM(v) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTE) GROUP BY window_start, window_end, region);
SELECT region, COUNT(*) AS c FROM t WHERE NOT v > SOME (SELECT tier * 50 FROM t) OR v >= ALL (SELECT v FROM t) GROUP BY region;
