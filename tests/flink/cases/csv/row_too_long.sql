CREATE TABLE t (id INT, r ROW<x INT, y STRING>) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_row_too_long.csv',
  'format' = 'csv'
);
SELECT * FROM t;
