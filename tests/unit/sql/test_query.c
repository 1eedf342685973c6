/*
 * Queries: FROM and table functions, grouping, windows, set operations and what follows them.
 */
#include "tests/unit/sql/parse_case.h"

static void parses_queries(void **state) {
    (void)state;
    static const struct parse_case CASES[] = {
        {"SELECT 1", "query: select 1"},
        {"SELECT DISTINCT a, t.*, *, b + 1 AS c, d e FROM t",
         "query: select-distinct a, t.*, *, (+ b 1) as c, d as e from t"},
        {"SELECT ALL a FROM cat.db.`my t` AS x (a, b)",
         "query: select a from cat.db.`my t` as x(a b)"},
        {"SELECT a desc, b AS asc FROM t", "query: select a as desc, b as asc from t"},
        {"SELECT /*+ BROADCAST(a), STATE_TTL('a'='1d') */ a FROM t /*+ OPTIONS('x'='y', 'z'='w') "
         "*/ AS q",
         "query: select a from t hints[x=y z=w] as q"},
        {"SELECT a FROM t /*+ OPTIONS('x' = 'y') */ ;", "query: select a from t hints[x=y]"},
        {"SELECT * FROM 'dir/file.csv' AS f", "query: select * from path'dir/file.csv' as f"},
        {"SELECT * FROM a, b JOIN c ON a.x = c.x LEFT OUTER JOIN d USING (x, y), e",
         "query: select * from (cross (cross a (left (inner b c on (= a.x c.x)) d using(x y))) e)"},
        {"SELECT * FROM a CROSS JOIN b NATURAL FULL JOIN c RIGHT JOIN d ON TRUE",
         "query: select * from (right (natural-full (cross a b) c) d on true)"},
        {"SELECT * FROM (a JOIN b ON x = y) LEFT JOIN (c CROSS JOIN d) ON z",
         "query: select * from (left (inner a b on (= x y)) (cross c d) on z)"},
        {"SELECT * FROM (SELECT 1) AS x (a), (VALUES (1, 'a'), (2, 'b')) v(a, b)",
         "query: select * from (cross (select 1) as x(a) (values (ROW 1 'a') (ROW 2 'b')) as v(a "
         "b))"},
        {"SELECT * FROM ((SELECT 1)) x", "query: select * from (select 1) as x"},
        {"SELECT * FROM UNNEST(arr) WITH ORDINALITY AS u (x, o), UNNEST(a, b) w",
         "query: select * from (cross (unnest-ordinality arr) as u(x o) (unnest a b) as w)"},
        {"SELECT * FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTE)",
         "query: select * from (TUMBLE [table t] [descriptor ts] interval:10:7(-1))"},
        {"SELECT * FROM TABLE(HOP(TABLE c.d.t, DESCRIPTOR(ts, x), INTERVAL '1' MINUTE, INTERVAL "
         "'2' MINUTE)) w",
         "query: select * from (HOP [table c.d.t] [descriptor ts x] interval:1:7(-1) "
         "interval:2:7(-1)) as w"},
        {"SELECT * FROM TUMBLE(DATA => TABLE t, TIMECOL => DESCRIPTOR(ts), SIZE => INTERVAL '1' "
         "HOUR, `OFFSET` => INTERVAL '1' MINUTE)",
         "query: select * from (TUMBLE DATA=>[table t] TIMECOL=>[descriptor ts] "
         "SIZE=>interval:1:6(-1) OFFSET=>interval:1:7(-1))"},
        {"SELECT * FROM SESSION(TABLE t PARTITION BY (a, b), DESCRIPTOR(ts), INTERVAL '1' MINUTE)",
         "query: select * from (SESSION [table t partition[a b]] [descriptor ts] "
         "interval:1:7(-1))"},
        {"SELECT * FROM SESSION(TABLE t PARTITION BY a, b, DESCRIPTOR(ts), INTERVAL '1' MINUTE)",
         "query: select * from (SESSION [table t partition[a]] b [descriptor ts] "
         "interval:1:7(-1))"},
        {"SELECT * FROM SESSION(DATA => TABLE t PARTITION BY a ORDER BY ts DESC, TIMECOL => "
         "DESCRIPTOR(ts), GAP => INTERVAL '1' MINUTE)",
         "query: select * from (SESSION DATA=>[table t partition[a] order[ts desc]] "
         "TIMECOL=>[descriptor ts] GAP=>interval:1:7(-1))"},
        {"SELECT * FROM TUMBLE((SELECT * FROM t), DESCRIPTOR(ts), INTERVAL '1' HOUR)",
         "query: select * from (TUMBLE [table (select * from t)] [descriptor ts] "
         "interval:1:6(-1))"},
        {"SELECT * FROM TUMBLE(DATA => (SELECT * FROM t) PARTITION BY k, TIMECOL => "
         "DESCRIPTOR(ts), SIZE => x)",
         "query: select * from (TUMBLE DATA=>[table (select * from t) partition[k]] "
         "TIMECOL=>[descriptor ts] SIZE=>x)"},
        {"SELECT * FROM TUMBLE(TABLE (SELECT * FROM t), DESCRIPTOR(ts), INTERVAL '1' HOUR)",
         "query: select * from (TUMBLE [table (select * from t)] [descriptor ts] "
         "interval:1:6(-1))"},
        {"SELECT * FROM TUMBLE(TABLE 'x.parquet', DESCRIPTOR(ts), INTERVAL '1' HOUR) AS w",
         "query: select * from (TUMBLE [table path'x.parquet'] [descriptor ts] interval:1:6(-1)) "
         "as w"},
        {"SELECT * FROM f(), g(DEFAULT, 1)", "query: select * from (cross (f) (g default 1))"},
        {"SELECT a FROM t WHERE b = 1 GROUP BY a, b + 1 HAVING COUNT(*) > 1",
         "query: select a from t where (= b 1) group (a) ((+ b 1)) having (> (COUNT *) 1)"},
        {"SELECT a FROM t GROUP BY ()", "query: select a from t group ()"},
        {"SELECT a FROM t GROUP BY GROUPING SETS ((a, b), a, ()), ROLLUP(a, (b, c)), CUBE(a), (d, "
         "e)",
         "query: select a from t group sets((a b) (a) ()) rollup((a) (b c)) cube((a)) (d e)"},
        {"SELECT a FROM t GROUP BY GROUPING SETS (ROLLUP(a, b), GROUPING SETS ((c)))",
         "query: select a from t group sets(rollup((a) (b)) sets((c)))"},
        {"SELECT a FROM t WINDOW w AS (PARTITION BY a ORDER BY b), v AS (w ROWS 1 PRECEDING) "
         "QUALIFY ROW_NUMBER() OVER w = 1",
         "query: select a from t window w{ partition[a] order[b]} window v{w rows preceding:1 "
         "current} qualify (= (ROW_NUMBER over{w}) 1)"},
        {"SELECT a FROM t ORDER BY a DESC NULLS FIRST, b + 1 ASC, c NULLS LAST LIMIT 10 OFFSET 5 "
         "ROWS",
         "query: select a from t order[a desc nulls-first (+ b 1) c nulls-last] limit 10 offset 5"},
        {"SELECT a FROM t OFFSET 1 ROW FETCH NEXT 3 ROWS ONLY",
         "query: select a from t limit 3 offset 1"},
        {"SELECT a FROM t LIMIT ALL", "query: select a from t"},
        {"SELECT a FROM t FETCH FIRST 1 ROW ONLY", "query: select a from t limit 1"},
        {"VALUES (1, 'a'), (2, 'b')", "query: values (ROW 1 'a') (ROW 2 'b')"},
        {"VALUES 1, ROW(2)", "query: values (ROW 1) (ROW 2)"},
        {"TABLE t", "query: select * from t"},
        {"SELECT 1 UNION SELECT 2 UNION ALL SELECT 3",
         "query: (union-all (union select 1 | select 2) | select 3)"},
        {"SELECT 1 UNION ALL SELECT 2 INTERSECT SELECT 3 EXCEPT ALL SELECT 4 MINUS SELECT 5",
         "query: (except (except-all (union-all select 1 | (intersect select 2 | select 3)) | "
         "select 4) | select 5)"},
        {"(SELECT 1 UNION ALL SELECT 2) INTERSECT DISTINCT (SELECT 3 LIMIT 1) ORDER BY 1 LIMIT 2",
         "query: (intersect (union-all select 1 | select 2) | select 3 limit 1) order[1] limit 2"},
        {"(SELECT 1 ORDER BY 1 LIMIT 3) ORDER BY 2",
         "query: select * from (select 1 order[1] limit 3) order[2]"},
        {"(SELECT 1) LIMIT 3", "query: select 1 limit 3"},
        {"((SELECT 1) UNION (SELECT 2))", "query: (union select 1 | select 2)"},
        {"WITH a (x, y) AS (SELECT 1, 2), b AS (VALUES (3)) SELECT * FROM a, b LIMIT 1",
         "query: with a(x y)(select 1, 2) with b(values (ROW 3)) select * from (cross a b) limit "
         "1"},
        {"WITH a AS (SELECT 1) (SELECT * FROM a) UNION ALL SELECT 2",
         "query: with a(select 1) (union-all select * from a | select 2)"},
        {"SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a) q",
         "query: select * from (with a(select 1) select * from a) as q"},
        {"SELECT (SELECT MAX(x) FROM t), a IN (TABLE u) FROM v",
         "query: select (select (MAX x) from t), (in a select * from u) from v"},
        {"select a from t -- comment", "query: select a from t"},
        {"SELECT/**/a/* x ; ' */FROM t", "query: select a from t"},
    };
    check_cases(PARSE_STATEMENT, CASES, COUNT(CASES));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parses_queries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
