CREATE TABLE t (id INT, d TIMESTAMP(3)) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_timestamp_quoted_blanks.csv',
  'format' = 'csv'
);
SELECT * FROM t;
