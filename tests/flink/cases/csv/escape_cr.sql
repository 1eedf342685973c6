CREATE TABLE t (id INT, k STRING) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_escape_cr.csv',
  'format' = 'csv',
  'csv.escape-character' = '\',
  'csv.ignore-parse-errors' = 'true'
);
SELECT id, k, CHAR_LENGTH(k) AS n FROM t;
