CREATE TABLE t (id INT, a ARRAY<INT>) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_array_ints_ignore.csv',
  'format' = 'csv',
  'csv.ignore-parse-errors' = 'true'
);
SELECT * FROM t;
