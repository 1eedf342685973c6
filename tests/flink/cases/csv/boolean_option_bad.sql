CREATE TABLE t (id INT, k STRING) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_boolean_option_bad.csv',
  'format' = 'csv',
  'csv.allow-comments' = 'maybe'
);
SELECT id, k, CHAR_LENGTH(k) AS n FROM t;
