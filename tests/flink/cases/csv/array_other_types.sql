CREATE TABLE t (id INT, a ARRAY<BOOLEAN>, b ARRAY<DECIMAL(5,2)>) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_array_other_types.csv',
  'format' = 'csv'
);
SELECT * FROM t;
