CREATE TABLE t (id INT, a ARRAY<STRING>) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_array_null_empty.csv',
  'format' = 'csv',
  'csv.null-literal' = ''
);
SELECT * FROM t;
