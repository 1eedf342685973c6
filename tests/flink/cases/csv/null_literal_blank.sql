CREATE TABLE t (id INT, k STRING) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_null_literal_blank.csv',
  'format' = 'csv',
  'csv.null-literal' = 'NULL'
);
SELECT * FROM t;
