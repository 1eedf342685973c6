-- ALTER TABLE: columns are added, changed, moved, renamed and dropped.
CREATE TABLE nulls (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/nulls.csv', 'format' = 'csv', 'csv.null-literal' = '');
ALTER TABLE nulls ADD x AS id + 1;
DESCRIBE nulls;
SELECT id, x FROM nulls WHERE id < 3;
ALTER TABLE nulls DROP x;
ALTER TABLE nulls ADD (a AS id + 1, b AS UPPER(k));
SELECT id, a, b FROM nulls WHERE id < 3;
ALTER TABLE nulls DROP (a, b);
ALTER TABLE nulls MODIFY v BIGINT;
SELECT id, v FROM nulls WHERE id < 3;
ALTER TABLE nulls RENAME k TO kk;
SELECT kk FROM nulls WHERE id = 1;
ALTER TABLE nulls ADD z INT COMMENT 'hi' AFTER id;
ALTER TABLE nulls MODIFY v INT FIRST;
DESCRIBE nulls;
