CREATE TABLE t (id INT, a ARRAY<INT NOT NULL>) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_array_not_null_element.csv',
  'format' = 'csv',
  'csv.null-literal' = 'NULL'
);
SELECT * FROM t;
