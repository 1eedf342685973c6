SET 'table.display.max-column-width' = '150';
CREATE TABLE n (
  id INT,
  k STRING,
  ti TINYINT,
  si SMALLINT,
  i INT,
  b BIGINT,
  f FLOAT,
  d DOUBLE,
  dc DECIMAL(10, 2),
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'data/nums.csv',
  'format' = 'csv',
  'csv.null-literal' = ''
);
SELECT k, JSON_ARRAYAGG(ARRAY[i, i]) AS a, JSON_ARRAYAGG(MAP['x', i]) AS b, JSON_ARRAYAGG(ROW(i, k)) AS c, JSON_ARRAYAGG(ARRAY[ROW(k, MAP['a', d])]) AS d
FROM TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
GROUP BY window_start, window_end, k;
