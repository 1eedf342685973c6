CREATE TABLE t (a TIME, b TIME(0), c TIME(1), d TIME(2)) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_time_precisions.csv',
  'format' = 'csv'
);
SELECT * FROM t;
