CREATE TABLE t (id INT, b BYTES) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_bytes_blanks.csv',
  'format' = 'csv'
);
SELECT * FROM t;
