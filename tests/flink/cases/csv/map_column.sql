CREATE TABLE t (id INT, m MAP<STRING,INT>) WITH (
  'connector' = 'filesystem',
  'path' = 'data/csv_map_column.csv',
  'format' = 'csv'
);
SELECT * FROM t;
