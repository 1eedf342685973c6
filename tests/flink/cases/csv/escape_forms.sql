CREATE TABLE t (id INT, k STRING) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_escape_forms.csv',
  'format' = 'csv',
  'csv.escape-character' = '\'
);
SELECT id, k, CHAR_LENGTH(k) AS n FROM t;
