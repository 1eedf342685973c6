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
SELECT window_start, JSON_OBJECTAGG(KEY CAST(id AS STRING) VALUE amt) AS a, JSON_OBJECTAGG(KEY CAST(id AS STRING) VALUE amt ABSENT ON NULL) AS b, JSON_OBJECTAGG('x"' || CAST(id AS STRING) : k NULL ON NULL) AS c, JSON_OBJECTAGG(KEY CAST(id AS CHAR(4)) VALUE ts) AS d
FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' MINUTE)
GROUP BY window_start, window_end;
