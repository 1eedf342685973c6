-- VAR and STDDEV with OVER: Flink computes them of SUM and COUNT in the type of the argument, so that integers and decimals are cut in between.
CREATE TABLE t (region STRING, tier INT, chan STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/multikey.csv', 'format' = 'csv');
SELECT region, v, STDDEV_POP(v) OVER w AS a, STDDEV_SAMP(v) OVER w AS b, VAR_POP(v) OVER w AS c, VAR_SAMP(v) OVER w AS d, VARIANCE(v) OVER w AS e, STDDEV(v) OVER w AS f FROM t
  WINDOW w AS (PARTITION BY region ORDER BY ts ROWS BETWEEN 2 PRECEDING AND CURRENT ROW);
SELECT region, x, STDDEV_POP(x) OVER w AS a, VAR_SAMP(x) OVER w AS d FROM (SELECT region, ts, CAST(v AS DOUBLE) / 8 AS x FROM t) WINDOW w AS (PARTITION BY region ORDER BY ts);
