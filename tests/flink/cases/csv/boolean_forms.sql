CREATE TABLE t (id INT, b BOOLEAN) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_boolean_forms.csv',
  'format' = 'csv'
);
SELECT * FROM t;
