CREATE TABLE t (id INT, k STRING, z STRING) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_empty_last_field.csv',
  'format' = 'csv'
);
SELECT * FROM t;
