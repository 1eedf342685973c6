CREATE TABLE t (id INT, k STRING NOT NULL) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_not_null_string.csv',
  'format' = 'csv',
  'csv.null-literal' = ''
);
SELECT * FROM t;
