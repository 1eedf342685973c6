CREATE TABLE t (id INT, d DOUBLE, f FLOAT, m DECIMAL(10,2)) WITH ('connector' = 'filesystem', 'path' = 'data/forms_number.csv', 'format' = 'csv', 'csv.ignore-parse-errors' = 'true');
SELECT * FROM t;
SELECT id, CAST(d AS DECIMAL(20,15)) AS a, CAST(f AS DECIMAL(20,15)) AS b, CAST(m AS DOUBLE) AS c FROM t WHERE id IN (1,2,6,7,12,13,14);
SELECT CAST(d * 0 + 1.005e0 AS DECIMAL(10,2)) AS a, CAST(CAST(d*0 + 0.1e0 AS FLOAT) AS DECIMAL(30,20)) AS b, CAST(CAST(d*0 + 0.1e0 AS FLOAT) AS DOUBLE) AS c, CAST(d*0+2.675e0 AS DECIMAL(10,2)) AS d FROM t WHERE id = 1;
