CREATE TABLE t (k STRING) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_one_column_blank_null.csv',
  'format' = 'csv',
  'csv.null-literal' = ''
);
SELECT k, CHAR_LENGTH(k) AS n FROM t;
