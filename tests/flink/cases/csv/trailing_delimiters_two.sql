CREATE TABLE t (id INT, k STRING) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_trailing_delimiters_two.csv',
  'format' = 'csv'
);
SELECT id, k, CHAR_LENGTH(k) AS n FROM t;
