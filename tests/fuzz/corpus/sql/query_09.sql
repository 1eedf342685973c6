SELECT (SELECT MAX(x) FROM t), a IN (TABLE u) FROM v;
select a from t -- comment;
SELECT/**/a/* x ; ' */FROM t;
