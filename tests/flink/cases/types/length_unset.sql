CREATE TABLE s (id INT, a VARCHAR, b INT, c INT, d DOUBLE, ts TIMESTAMP(6)) WITH ('connector'='filesystem','path'='data/scalar.csv','format'='csv');
SELECT id, a, CAST(a AS VARCHAR) v, CAST(b AS VARCHAR) w, TRY_CAST(d AS VARCHAR) t, CAST(ts AS CHARACTER VARYING) x, CAST(b AS CHAR) c, CAST(a AS BINARY VARYING) y FROM s;
