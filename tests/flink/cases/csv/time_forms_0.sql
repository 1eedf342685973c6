CREATE TABLE t (id INT, v TIME) WITH ('connector' = 'filesystem', 'path' = 'data/forms_time.csv', 'format' = 'csv', 'csv.ignore-parse-errors' = 'true');
SELECT id, v FROM t;
