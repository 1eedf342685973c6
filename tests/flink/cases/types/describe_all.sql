-- DESCRIBE names types as Flink does.
CREATE TABLE t (a TINYINT, b DECIMAL(10, 2), c VARCHAR(5), d STRING NOT NULL, e TIMESTAMP(3), f TIMESTAMP_LTZ(6), g ARRAY<INT>, h ROW<x INT, y STRING>, i BYTES, j TIME(3), k MAP<STRING, INT>) WITH ('connector' = 'filesystem', 'path' = 'data/dir', 'format' = 'csv');
DESCRIBE t;
