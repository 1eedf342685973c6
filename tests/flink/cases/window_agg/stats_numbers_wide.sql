CREATE TABLE n (
  id INT,
  k STRING,
  ti TINYINT,
  si SMALLINT,
  i INT,
  b BIGINT,
  f FLOAT,
  d DOUBLE,
  dc DECIMAL(10, 2),
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'data/nums.csv',
  'format' = 'csv',
  'csv.null-literal' = ''
);
SELECT k, VAR_POP(f) AS f_vp, VAR_SAMP(f) AS f_vs, STDDEV_POP(f) AS f_sp, STDDEV_SAMP(f) AS f_ss,
  VAR_POP(d) AS d_vp, VAR_SAMP(d) AS d_vs, STDDEV_POP(d) AS d_sp, STDDEV_SAMP(d) AS d_ss,
  VAR_POP(dc) AS dc_vp, VAR_SAMP(dc) AS dc_vs, STDDEV_POP(dc) AS dc_sp, STDDEV_SAMP(dc) AS dc_ss
FROM TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
GROUP BY window_start, window_end, k;
