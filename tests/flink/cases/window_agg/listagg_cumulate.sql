SET 'table.display.max-column-width' = '150';
CREATE TABLE t (
  region STRING,
  tier INT,
  chan STRING,
  v INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'data/multikey.csv',
  'format' = 'csv'
);
SELECT window_start, window_end, LISTAGG(region) AS a, ARRAY_AGG(v) AS b, STDDEV_POP(v) AS c
FROM CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE)
GROUP BY window_start, window_end;
