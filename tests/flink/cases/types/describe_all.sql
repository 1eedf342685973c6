-- DESCRIBE names types as Flink does.
CREATE TABLE t (a TINYINT, b DECIMAL(10, 2), c VARCHAR(5), d STRING NOT NULL, e TIMESTAMP(3), f TIMESTAMP_LTZ(6), i BYTES, j TIME(3), k DOUBLE PRECISION, l NUMERIC(5), m INTEGER, n TIMESTAMP(3) WITH LOCAL TIME ZONE, o CHAR, p DATE, q FLOAT, r SMALLINT, s BOOLEAN) WITH ('connector' = 'filesystem', 'path' = 'data/windows_orders.csv', 'format' = 'csv');
DESCRIBE t;
CREATE VIEW v AS SELECT ARRAY[1, 2] AS g, MAP['k', 1] AS h, ROW(1, 'x') AS i, CAST(NULL AS ARRAY<ROW<x INT, y STRING NOT NULL>>) AS j, INTERVAL '1' DAY AS k, X'00' AS l FROM t;
DESCRIBE v;
