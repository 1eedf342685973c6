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
SELECT window_start, JSON_ARRAYAGG(k) AS a, JSON_ARRAYAGG(amt NULL ON NULL) AS b, JSON_ARRAYAGG(amt ABSENT ON NULL) AS c, JSON_ARRAYAGG(k NULL ON NULL) AS d
FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' MINUTE)
GROUP BY window_start, window_end;
