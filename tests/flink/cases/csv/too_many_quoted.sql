CREATE TABLE t (id INT, k STRING) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_too_many_quoted.csv',
  'format' = 'csv'
);
SELECT * FROM t;
