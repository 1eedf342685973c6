-- The difference of two times with a unit behind it is an interval; fractions below a millisecond count on neither side.
CREATE TABLE t (
  region STRING,
  tier INT,
  chan STRING,
  v INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'data/multikey.csv',
  'format' = 'csv'
);
SELECT (ts - TIMESTAMP '2024-06-30 00:00:00') MINUTE AS a, (TIMESTAMP '2024-06-30 00:00:00' - ts) DAY AS b, (ts - TIMESTAMP '2024-06-30 00:00:00') DAY TO SECOND AS c, (ts - TIMESTAMP '2021-01-31 00:00:00') MONTH AS d, (ts - TIMESTAMP '2021-01-31 00:00:00') YEAR AS e FROM t;
SELECT (CAST(ts AS TIMESTAMP(6)) - TIMESTAMP '2024-06-30 00:00:00.123456') SECOND AS a, (TIMESTAMP '1969-12-31 23:59:59.999999' - CAST(ts AS TIMESTAMP(6))) SECOND AS b FROM t;
SELECT (CAST(ts AS DATE) - DATE '2024-01-31') DAY AS a, (CAST(ts AS DATE) - DATE '2024-01-31') MONTH AS b, (CAST(ts AS TIME) - TIME '10:30:00') HOUR AS c, (CAST(ts AS TIMESTAMP_LTZ(3)) - CAST(TIMESTAMP '2024-01-31 00:00:00' AS TIMESTAMP_LTZ(3))) DAY AS d FROM t;
SELECT ts - (ts - TIMESTAMP '2024-06-30 00:00:00') DAY AS a, (ts - TIMESTAMP '2024-06-30 00:00:00') DAY * 2 AS b, EXTRACT(HOUR FROM (ts - TIMESTAMP '2024-06-30 23:00:00') DAY) AS h, (ts - TIMESTAMP '2024-07-01 00:01:00') MINUTE > INTERVAL '5' SECOND AS c, CAST((ts - TIMESTAMP '2024-07-01 00:01:00') MINUTE AS STRING) AS s FROM t;
SELECT window_start, COUNT(*) AS m, (window_end - window_start) MINUTE AS l FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTE) GROUP BY window_start, window_end;
