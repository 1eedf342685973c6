CREATE TABLE t (id INT, k STRING) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_quote_given_and_disabled.csv',
  'format' = 'csv',
  'csv.quote-character' = 'a',
  'csv.disable-quote-character' = 'true'
);
SELECT id, k, CHAR_LENGTH(k) AS n FROM t;
