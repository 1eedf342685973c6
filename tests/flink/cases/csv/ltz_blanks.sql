CREATE TABLE t (id INT, d TIMESTAMP_LTZ(3)) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_ltz_blanks.csv',
  'format' = 'csv'
);
SELECT * FROM t;
