CREATE TABLE t (id INT, k STRING) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_bad_utf8_ignore.csv',
  'format' = 'csv',
  'csv.ignore-parse-errors' = 'true'
);
SELECT id, k, CHAR_LENGTH(k) AS n FROM t;
