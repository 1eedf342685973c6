CREATE TABLE t (a FLOAT) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_float_extremes.csv',
  'format' = 'csv'
);
SELECT * FROM t;
