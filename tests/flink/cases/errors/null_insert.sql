-- A literal NULL in INSERT.
CREATE TABLE o1 (a INT, b STRING) WITH ('connector' = 'filesystem', 'path' = 'out/nul1', 'format' = 'csv'); INSERT INTO o1 VALUES (1, NULL), (NULL, 'x');
