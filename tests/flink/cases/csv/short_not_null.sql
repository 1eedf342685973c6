CREATE TABLE t (id INT, k STRING, z INT NOT NULL) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_short_not_null.csv',
  'format' = 'csv',
  'csv.ignore-parse-errors' = 'true'
);
SELECT * FROM t;
