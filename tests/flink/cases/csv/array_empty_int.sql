CREATE TABLE t (id INT, a ARRAY<INT>) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_array_empty_int.csv',
  'format' = 'csv'
);
SELECT * FROM t;
