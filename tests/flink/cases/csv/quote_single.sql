CREATE TABLE t (id INT, k STRING) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_quote_single.csv',
  'format' = 'csv',
  'csv.quote-character' = ''''
);
SELECT id, k, CHAR_LENGTH(k) AS n FROM t;
