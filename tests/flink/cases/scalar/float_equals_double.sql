-- FLOAT = DOUBLE compares as the first of the two; < and > compare as DOUBLE. ROUND has no -0.0.
CREATE TABLE n (
  id INT, k STRING, ti TINYINT, si SMALLINT, i INT, b BIGINT, f FLOAT, d DOUBLE, dc DECIMAL(10, 2), ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/nums.csv', 'format' = 'csv', 'csv.null-literal' = '');
SELECT id, f, d, f = d AS a, d = f AS b, f <> d AS c, f < d AS e, f > d AS g, f >= d AS h, CAST(f AS DOUBLE) = d AS i, f - d AS j, ROUND(CAST(0 AS DOUBLE) * d) AS k, ROUND(CAST(-0.2 AS DOUBLE)) AS l FROM n WHERE id > 4;
