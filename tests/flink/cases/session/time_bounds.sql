CREATE TABLE t (
  id INT,
  k STRING,
  v INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'data/ms.csv',
  'format' = 'csv'
);
SELECT k, MIN(ts) AS a, MAX(ts) AS z, MIN(ts) FILTER (WHERE v > 2) AS fa, MAX(DISTINCT ts) AS dz, COUNT(*) AS c, MIN(v) AS mv FROM SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '0.003' SECOND) GROUP BY k, window_start, window_end;
SELECT MAX(ts) AS z, MIN(ts) AS a, LISTAGG(k) AS l FROM SESSION(TABLE t, DESCRIPTOR(ts), INTERVAL '0.003' SECOND) GROUP BY window_start, window_end;
SET 'table.local-time-zone' = 'America/New_York';
CREATE TABLE z (
  id INT,
  k STRING,
  v INT,
  ts TIMESTAMP_LTZ(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'data/kst.csv',
  'format' = 'csv'
);
SELECT k, MIN(ts) AS a, MAX(ts) AS z, COUNT(*) AS c FROM SESSION(TABLE z PARTITION BY k, DESCRIPTOR(ts), INTERVAL '80' MINUTE) GROUP BY k, window_start, window_end;
