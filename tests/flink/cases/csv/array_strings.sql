CREATE TABLE t (id INT, a ARRAY<STRING>) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_array_strings.csv',
  'format' = 'csv'
);
SELECT * FROM t;
