CREATE TABLE s (id INT, a STRING, b INT, c INT, d DOUBLE, ts TIMESTAMP(6)) WITH ('connector'='filesystem','path'='data/scalar.csv','format'='csv');
SELECT id, CAST(a AS VARBINARY) v, CAST(a AS VARBINARY(1)) v1, CAST(a AS VARBINARY(2)) v2, CAST(a AS BINARY) b, CAST(a AS BINARY(2)) b2, CAST(a AS BINARY(20)) b20, CAST(a AS BYTES) bb, TRY_CAST(a AS VARBINARY(2)) tv FROM s;
