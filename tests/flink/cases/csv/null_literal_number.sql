CREATE TABLE t (id INT, k STRING) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_null_literal_number.csv',
  'format' = 'csv',
  'csv.null-literal' = '5'
);
SELECT * FROM t;
