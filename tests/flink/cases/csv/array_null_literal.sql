CREATE TABLE t (id INT, a ARRAY<STRING>) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_array_null_literal.csv',
  'format' = 'csv',
  'csv.null-literal' = 'NULL'
);
SELECT * FROM t;
