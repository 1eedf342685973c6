CREATE TABLE t (id INT, i INT, d DOUBLE, b BOOLEAN, ts TIMESTAMP(3), dt DATE, a ARRAY<INT>, dc DECIMAL(5,2)) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_null_literal_types.csv',
  'format' = 'csv',
  'csv.null-literal' = 'NULL'
);
SELECT * FROM t;
