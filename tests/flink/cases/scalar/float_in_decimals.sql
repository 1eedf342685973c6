-- FLOAT IN (decimals) compares as FLOAT, FLOAT = decimal as DOUBLE.
CREATE TABLE n (
  id INT, k STRING, ti TINYINT, si SMALLINT, i INT, b BIGINT, f FLOAT, d DOUBLE, dc DECIMAL(10, 2), ts TIMESTAMP(3)
) WITH ('connector' = 'filesystem', 'path' = 'data/nums.csv', 'format' = 'csv', 'csv.null-literal' = '');
SELECT id, f IN (0.1, 2.2) AS a, f NOT IN (0.1, 7.7) AS b, f IN (3, 4) AS c, f = 0.1 AS e FROM n WHERE id > 4;
SELECT id FROM n WHERE f IN (0.1, 0.2, 0.3);
