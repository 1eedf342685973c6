CREATE TABLE t (id INT, k STRING) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_escape_null_literal.csv',
  'format' = 'csv',
  'csv.escape-character' = '\',
  'csv.null-literal' = 'NULL'
);
SELECT id, k, CHAR_LENGTH(k) AS n FROM t;
