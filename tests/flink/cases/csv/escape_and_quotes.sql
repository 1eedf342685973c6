CREATE TABLE t (id INT, k STRING) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_escape_and_quotes.csv',
  'format' = 'csv',
  'csv.escape-character' = '\'
);
SELECT * FROM t;
