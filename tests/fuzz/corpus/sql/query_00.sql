SELECT 1;
SELECT DISTINCT a, t.*, *, b + 1 AS c, d e FROM t;
SELECT ALL a FROM cat.db.`my t` AS x (a, b);
SELECT a desc, b AS asc FROM t;
SELECT /*+ BROADCAST(a), STATE_TTL('a'='1d') */ a FROM t /*+ OPTIONS('x'='y', 'z'='w') */ AS q;
