CREATE TABLE t (c CHAR(3), v VARCHAR(3)) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_char_varchar_any_length.csv',
  'format' = 'csv'
);
SELECT c, CHAR_LENGTH(c) AS n, v, CHAR_LENGTH(v) AS m FROM t;
