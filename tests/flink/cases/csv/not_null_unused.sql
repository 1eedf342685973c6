CREATE TABLE t (id INT, k STRING NOT NULL) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_not_null_unused.csv',
  'format' = 'csv',
  'csv.null-literal' = ''
);
SELECT id FROM t;
