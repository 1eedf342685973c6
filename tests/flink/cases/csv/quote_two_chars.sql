CREATE TABLE t (id INT, k STRING) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_quote_two_chars.csv',
  'format' = 'csv',
  'csv.quote-character' = 'ab'
);
SELECT id, k, CHAR_LENGTH(k) AS n FROM t;
