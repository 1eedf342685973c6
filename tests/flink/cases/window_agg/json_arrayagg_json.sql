SET 'table.display.max-column-width' = '150';
CREATE TABLE t (
  id BIGINT,
  k STRING,
  amt INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'data/nulls.csv',
  'format' = 'csv',
  'csv.null-literal' = ''
);
SELECT window_start, JSON_ARRAYAGG(JSON_OBJECT(KEY 'k' VALUE k)) AS a, JSON_ARRAYAGG(JSON_STRING(k)) AS b, JSON_OBJECTAGG(KEY CAST(id AS STRING) VALUE JSON_ARRAY(id, k)) AS c
FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' MINUTE)
GROUP BY window_start, window_end;
