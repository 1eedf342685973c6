CREATE TABLE t (id INT, a ARRAY<STRING>) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_array_quoted.csv',
  'format' = 'csv'
);
SELECT * FROM t;
