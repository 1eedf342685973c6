CREATE TABLE t (id BIGINT, k STRING, amt INT, e STRING,
  fn STRING NOT NULL METADATA FROM 'file.name', size_text STRING METADATA FROM 'file.size', `file.path` STRING NOT NULL METADATA VIRTUAL,
  m TIMESTAMP(3) METADATA FROM 'file.modification-time', x AS UPPER(fn)) WITH ('connector' = 'filesystem', 'path' = 'data/nullts.csv', 'format' = 'csv', 'csv.null-literal' = '');
DESCRIBE t;
SELECT id, fn, size_text, `file.path` LIKE '%/data/nullts.csv' AS s, x, m > TIMESTAMP '2001-01-01 00:00:00' AS recent FROM t;
