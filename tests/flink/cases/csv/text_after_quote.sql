CREATE TABLE t (id INT, k STRING) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_text_after_quote.csv',
  'format' = 'csv'
);
SELECT id, k, CHAR_LENGTH(k) AS n FROM t;
