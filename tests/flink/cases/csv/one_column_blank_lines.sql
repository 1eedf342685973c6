CREATE TABLE t (k STRING) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_one_column_blank_lines.csv',
  'format' = 'csv'
);
SELECT k, CHAR_LENGTH(k) AS n FROM t;
