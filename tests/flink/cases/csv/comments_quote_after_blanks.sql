CREATE TABLE t (id INT, k STRING) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_comments_quote_after_blanks.csv',
  'format' = 'csv',
  'csv.allow-comments' = 'true'
);
SELECT * FROM t;
