CREATE TABLE t (id INT, v TIME(3)) WITH ('connector' = 'filesystem', 'path' = 'data/forms_time.csv', 'format' = 'csv', 'csv.ignore-parse-errors' = 'true');
SELECT id, v FROM t;
