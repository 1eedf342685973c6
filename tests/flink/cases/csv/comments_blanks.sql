CREATE TABLE t (id INT, k STRING) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_comments_blanks.csv',
  'format' = 'csv',
  'csv.allow-comments' = 'true'
);
SELECT id, k, CHAR_LENGTH(k) AS n FROM t;
