CREATE TABLE t (id INT, k STRING) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_trailing_cr.csv',
  'format' = 'csv'
);
SELECT id, k, CHAR_LENGTH(k) AS n FROM t;
