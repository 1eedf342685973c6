CREATE TABLE t (id INT, k STRING, z INT) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_bad_value_unused.csv',
  'format' = 'csv'
);
SELECT k FROM t;
