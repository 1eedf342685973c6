CREATE TABLE t (id INT, d TIMESTAMP(0)) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_ts_0_keeps_fraction.csv',
  'format' = 'csv'
);
SELECT id, d, CAST(d AS TIMESTAMP(9)) AS f, d = TIMESTAMP '2024-01-01 00:00:00' AS g FROM t;
