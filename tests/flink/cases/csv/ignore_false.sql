CREATE TABLE t (id INT, k STRING) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_ignore_false.csv',
  'format' = 'csv',
  'csv.ignore-parse-errors' = 'false'
);
SELECT id, k, CHAR_LENGTH(k) AS n FROM t;
