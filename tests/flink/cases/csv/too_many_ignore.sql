CREATE TABLE t (id INT, k STRING) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_too_many_ignore.csv',
  'format' = 'csv',
  'csv.ignore-parse-errors' = 'true'
);
SELECT id, k, CHAR_LENGTH(k) AS n FROM t;
