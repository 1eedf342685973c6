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
SELECT k, VAR_POP(ti) AS ti_vp, VAR_SAMP(ti) AS ti_vs, STDDEV_POP(ti) AS ti_sp, STDDEV_SAMP(ti) AS ti_ss,
  VAR_POP(si) AS si_vp, VAR_SAMP(si) AS si_vs, STDDEV_POP(si) AS si_sp, STDDEV_SAMP(si) AS si_ss,
  VAR_POP(i) AS i_vp, VAR_SAMP(i) AS i_vs, STDDEV_POP(i) AS i_sp, STDDEV_SAMP(i) AS i_ss,
  VAR_POP(b) AS b_vp, VAR_SAMP(b) AS b_vs, STDDEV_POP(b) AS b_sp, STDDEV_SAMP(b) AS b_ss
FROM TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
GROUP BY window_start, window_end, k;
