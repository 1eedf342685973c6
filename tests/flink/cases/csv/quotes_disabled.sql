CREATE TABLE t (id INT, k STRING) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_quotes_disabled.csv',
  'format' = 'csv',
  'csv.disable-quote-character' = 'true'
);
SELECT id, k, CHAR_LENGTH(k) AS n FROM t;
