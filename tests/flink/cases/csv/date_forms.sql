CREATE TABLE t (id INT, v DATE) WITH ('connector' = 'filesystem', 'path' = 'data/forms_date.csv', 'format' = 'csv', 'csv.ignore-parse-errors' = 'true');
SELECT id, v FROM t;
