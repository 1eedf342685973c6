CREATE TABLE t (id INT, k STRING) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_delimiter_unicode_escape.csv',
  'format' = 'csv',
  'csv.field-delimiter' = '\u0001'
);
SELECT id, k, CHAR_LENGTH(k) AS n FROM t;
