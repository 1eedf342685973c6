CREATE TABLE t (id INT, v TIMESTAMP(3)) WITH ('connector' = 'filesystem', 'path' = 'data/forms_timestamp.csv', 'format' = 'csv', 'csv.ignore-parse-errors' = 'true');
SELECT id, v FROM t;
