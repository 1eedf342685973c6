/*
 * Expressions: precedence as in Calcite, the calls with a syntax of their own, literals.
 */
#include "tests/unit/sql/parse_case.h"

static void binds_operators(void **state) {
    (void)state;
    static const struct parse_case CASES[] = {
        {"1 + 2 * 3 - 4", "(- (+ 1 (* 2 3)) 4)"},
        {"(1 + 2) * 3", "(* (+ 1 2) 3)"},
        {"a || b * c + d", "(+ (* (|| a b) c) d)"},
        {"-a * b", "(* (NEG a) b)"},
        {"- - 1", "(NEG (NEG 1))"},
        {"+a - -b", "(- (POS a) (NEG b))"},
        {"a + b = c * d", "(= (+ a b) (* c d))"},
        {"a = b = c", "(= (= a b) c)"},
        {"a < 1 OR b >= 2 AND NOT c <> 3", "(OR (< a 1) (AND (>= b 2) (NOT (<> c 3))))"},
        {"a OR b OR c OR d OR e OR f", "(OR a b c d e f)"},
        {"(a AND b) AND (c AND d)", "(AND a b (AND c d))"},
        {"NOT a IS NULL", "(NOT (IS NULL a))"},
        {"NOT a = b AND c", "(AND (NOT (= a b)) c)"},
        {"a = b IS NOT TRUE", "(IS NOT TRUE (= a b))"},
        {"a IS UNKNOWN", "(IS UNKNOWN a)"},
        {"a IS NOT DISTINCT FROM b + 1", "(IS NOT DISTINCT FROM a (+ b 1))"},
        {"a IS DISTINCT FROM b AND c", "(AND (IS DISTINCT FROM a b) c)"},
        {"a BETWEEN 1 AND 2 AND b", "(AND (BETWEEN a 1 2) b)"},
        {"a NOT BETWEEN SYMMETRIC x + 1 AND y OR z", "(OR (not-BETWEEN symmetric a (+ x 1) y) z)"},
        {"a BETWEEN b BETWEEN 1 AND 2 AND 3", "(BETWEEN a (BETWEEN b 1 2) 3)"},
        {"CASE WHEN a BETWEEN 1 AND 2 AND b THEN c AND d END AND e",
         "(AND (case (AND (BETWEEN a 1 2) b) (AND c d)) e)"},
        {"a IN (1, 2 + 3)", "(IN a 1 (+ 2 3))"},
        {"a NOT IN ('x')", "(not-IN a 'x')"},
        {"(a, b) IN ((1, 2), (3, 4))", "(IN (ROW a b) (ROW 1 2) (ROW 3 4))"},
        {"(a, b) NOT IN (SELECT x, y FROM t)", "(not-in a b select x, y from t)"},
        {"a IN (SELECT 1) AND b", "(AND (in a select 1) b)"},
        {"a LIKE 'x%' || y", "(LIKE a (|| 'x%' y))"},
        {"a NOT LIKE 'x' ESCAPE '!' AND b", "(AND (not-LIKE a 'x' '!') b)"},
        {"a SIMILAR TO 'x' ESCAPE '!'", "(SIMILAR TO a 'x' '!')"},
        {"a NOT SIMILAR TO b", "(not-SIMILAR TO a b)"},
        {"(a, b) OVERLAPS (c, d)", "(OVERLAPS (ROW a b) (ROW c d))"},
        {"EXISTS (SELECT 1) OR NOT EXISTS (VALUES (2))",
         "(OR (exists select 1) (NOT (exists values (ROW 2))))"},
        {"(SELECT 1) + 1", "(+ (select 1) 1)"},
        {"((SELECT 1))", "(select 1)"},
        {"((1))", "1"},
        {"(1, 'a', (2, 3))", "(ROW 1 'a' (ROW 2 3))"},
        {"ROW(1)", "(ROW 1)"},
        {"ROW()", "(ROW)"},
        {"ARRAY[1, 2][1 + 1]", "([] (ARRAY 1 2) (+ 1 1))"},
        {"ARRAY[]", "(ARRAY)"},
        {"MAP['a', 1]['a']", "([] (MAP 'a' 1) 'a')"},
        {"MULTISET[1]", "(MULTISET 1)"},
        {"map['k']", "(MAP 'k')"},
        {"t.m['k'].f.g", "(. (. ([] t.m 'k') 'f') 'g')"},
        {"f(x).y", "(. (F x) 'y')"},
        {"(a).b", "(. a 'b')"},
    };
    check_cases(PARSE_EXPRESSION, CASES, COUNT(CASES));
}

static void parses_calls(void **state) {
    (void)state;
    static const struct parse_case CASES[] = {
        {"CASE WHEN a THEN 1 WHEN b THEN 2 ELSE 3 END", "(case-else a 1 b 2 3)"},
        {"CASE x + 1 WHEN 1 THEN 'a' END", "(case-of (+ x 1) 1 'a')"},
        {"CAST(a AS DECIMAL(10, 2))", "(CAST a DECIMAL:10,2)"},
        {"TRY_CAST('1' AS INTEGER NOT NULL)", "(TRY_CAST '1' INT!)"},
        {"CAST(a AS ROW<x INT, y ARRAY<STRING NOT NULL>>)", "(CAST a ROW<x INT y ARRAY<STRING!>>)"},
        {"CAST(a AS MAP<STRING, BIGINT> ARRAY)", "(CAST a ARRAY<MAP<STRING BIGINT>>)"},
        {"CAST(a AS TIMESTAMP(3) WITH LOCAL TIME ZONE)",
         "(CAST a TIMESTAMP WITH LOCAL TIME ZONE:3)"},
        {"CAST(a AS INTERVAL DAY(2) TO SECOND(3))", "(CAST a INTERVAL DAY TO SECOND:2,3)"},
        {"CAST(a AS CHARACTER VARYING(7))", "(CAST a VARCHAR:7)"},
        {"CAST(a AS my.thing)", "(CAST a MY.THING)"},
        {"EXTRACT(EPOCH FROM ts)", "(EXTRACT 'EPOCH' ts)"},
        {"extract(hour from ts + INTERVAL '1' HOUR)", "(EXTRACT 'HOUR' (+ ts interval:1:6(-1)))"},
        {"FLOOR(a) + CEILING(b)", "(+ (FLOOR a) (CEIL b))"},
        {"FLOOR(ts TO DAY)", "(FLOOR ts 'DAY')"},
        {"CEIL(ts TO quarter)", "(CEIL ts 'QUARTER')"},
        {"TRIM(x)", "(TRIM 'BOTH' ' ' x)"},
        {"TRIM('a' FROM x)", "(TRIM 'BOTH' 'a' x)"},
        {"TRIM(LEADING FROM x)", "(TRIM 'LEADING' ' ' x)"},
        {"TRIM(TRAILING 'a' FROM x)", "(TRIM 'TRAILING' 'a' x)"},
        {"SUBSTRING(a FROM 2)", "(SUBSTRING a 2)"},
        {"SUBSTRING(a FROM 2 FOR 3)", "(SUBSTRING a 2 3)"},
        {"substring(a, 2, 3)", "(SUBSTRING a 2 3)"},
        {"POSITION('a' IN b || c)", "(POSITION 'a' (|| b c))"},
        {"POSITION('a' IN (b))", "(POSITION 'a' b)"},
        {"OVERLAY(a PLACING b FROM 1 FOR 2)", "(OVERLAY a b 1 2)"},
        {"TIMESTAMPADD(MONTH, 1, ts)", "(TIMESTAMPADD 'MONTH' 1 ts)"},
        {"TIMESTAMPDIFF(SQL_TSI_DAY, a, b)", "(TIMESTAMPDIFF 'DAY' a b)"},
        {"timestampadd + 1", "(+ timestampadd 1)"},
        {"COUNT(*)", "(COUNT *)"},
        {"COUNT(DISTINCT a, b)", "(COUNT distinct a b)"},
        {"SUM(ALL a)", "(SUM a)"},
        {"SUM(a) FILTER (WHERE b > 1)", "(SUM a filter[(> b 1)])"},
        {"LISTAGG(x, ',') WITHIN GROUP (ORDER BY y DESC NULLS LAST, z)",
         "(LISTAGG x ',' order[y desc nulls-last z])"},
        {"ARRAY_AGG(x ORDER BY y)", "(ARRAY_AGG x order[y])"},
        {"FIRST_VALUE(x) IGNORE NULLS OVER w", "(FIRST_VALUE x ignore-nulls over{w})"},
        {"LAG(a, 1) RESPECT NULLS OVER (w)", "(LAG a 1 respect-nulls over{w})"},
        {"SUM(a) OVER (PARTITION BY b, c ORDER BY d ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT "
         "ROW)",
         "(SUM a over{ partition[b c] order[d] rows unbounded-preceding current})"},
        {"SUM(a) OVER (ORDER BY d RANGE BETWEEN INTERVAL '10' MINUTE PRECEDING AND 1 FOLLOWING)",
         "(SUM a over{ order[d] range preceding:interval:10:7(-1) following:1})"},
        {"SUM(a) OVER (w ROWS 2 PRECEDING)", "(SUM a over{w rows preceding:2 current})"},
        {"ROW_NUMBER() OVER (PARTITION BY a ORDER BY b DESC)",
         "(ROW_NUMBER over{ partition[a] order[b desc]})"},
        {"f(a => 1, `b` => DEFAULT)", "(F a=>1 b=>default)"},
        {"cat.db.f(x)", "(CAT.DB.F x)"},
        {"YEAR(x) + LEFT(s, 2) + DATE(y)", "(+ (+ (YEAR x) (LEFT s 2)) (DATE y))"},
        {"replace(a, b, c)", "(REPLACE a b c)"},
        {"IF(a, 1, 2)", "(IF a 1 2)"},
        {"CURRENT_TIMESTAMP", "(CURRENT_TIMESTAMP)"},
        {"LOCALTIME(3)", "(LOCALTIME 3)"},
        {"NEG(1)", "(`NEG` 1)"},
        {"`AND`(a, b)", "(`AND` a b)"},
        {"`upper`(a)", "(UPPER a)"},
    };
    check_cases(PARSE_EXPRESSION, CASES, COUNT(CASES));
}

static void parses_literals(void **state) {
    (void)state;
    static const struct parse_case CASES[] = {
        {"INTERVAL '1' DAY", "interval:1:5(-1)"},
        {"INTERVAL -'1-2' YEAR TO MONTH", "interval:-1-2:1(-1)-3"},
        {"INTERVAL '10' MINUTES", "interval:10:7(-1)"},
        {"INTERVAL '1000' MINUTE(4)", "interval:1000:7(4)"},
        {"INTERVAL '1.5' SECOND(2, 3)", "interval:1.5:8(2)(3)"},
        {"INTERVAL '1 2:3' DAY(3) TO MINUTE", "interval:1 2:3:5(3)-7"},
        {"INTERVAL '2' WEEKS", "interval:2:4(-1)"},
        {"INTERVAL '1' QUARTER", "interval:1:2(-1)"},
        {"INTERVAL '1' SECOND * 2", "(* interval:1:8(-1) 2)"},
        {"DATE '2020-01-01'", "date'2020-01-01'"},
        {"TIME '01:02:03'", "time'01:02:03'"},
        {"TIMESTAMP '2020-01-01 00:00:00'", "timestamp'2020-01-01 00:00:00'"},
        {"X'0aFF'", "x'0aFF'"},
        {"U&'\\0041\\+01F600\\\\'", "'A\360\237\230\200\\'"},
        {"U&'!0041' UESCAPE '!'", "'A'"},
        {"N'x'", "'x'"},
        {"_UTF8'y'", "'y'"},
        {"'it''s'", "'it's'"},
        {"'a'\n'b' -- and\n 'c'", "'abc'"},
        {"1.5", "1.5"},
        {".5", ".5"},
        {"5.", "5."},
        {"1e-3", "1e-3"},
        {"TRUE AND FALSE OR NULL", "(OR (AND true false) null)"},
        {"`a ``b` . c", "`a `b`.c"},
        {"\355\225\234\352\270\200 = '\352\260\222'",
         "(= \355\225\234\352\270\200 '\352\260\222')"},
    };
    check_cases(PARSE_EXPRESSION, CASES, COUNT(CASES));
}

static void parses_json_and_plain_words(void **state) {
    (void)state;
    static const struct parse_case CASES[] = {
        {"JSON_VALUE(x, '$.a' RETURNING INT NULL ON EMPTY DEFAULT 3 ON ERROR)",
         "(JSON_VALUE x '$.a' json[1 3 0 error:3] returning:INT)"},
        {"JSON_QUERY(x, '$' WITH CONDITIONAL ARRAY WRAPPER EMPTY ARRAY ON EMPTY)",
         "(JSON_QUERY x '$' json[7 0 2])"},
        {"JSON_QUERY(x, '$' RETURNING STRING WITHOUT WRAPPER)",
         "(JSON_QUERY x '$' json[0 0 1] returning:STRING)"},
        {"JSON_EXISTS(x, '$' TRUE ON ERROR)", "(JSON_EXISTS x '$' json[0 4 0])"},
        {"JSON_OBJECT(KEY 'a' VALUE 1, 'b' VALUE 2 ABSENT ON NULL)",
         "(JSON_OBJECT 'a' 1 'b' 2 absent-on-null)"},
        {"JSON_OBJECT(key VALUE value_)", "(JSON_OBJECT key value_)"},
        {"JSON_OBJECT(KEY a VALUE 1, KEY key VALUE 2, KEY f(key, 'x') VALUE 3)",
         "(JSON_OBJECT a 1 key 2 (F key 'x') 3)"},
        {"JSON_ARRAY(1, 2 NULL ON NULL)", "(JSON_ARRAY 1 2 null-on-null)"},
        {"JSON_ARRAY()", "(JSON_ARRAY)"},
        {"JSON_OBJECTAGG(KEY a VALUE b NULL ON NULL)", "(JSON_OBJECTAGG a b null-on-null)"},
        {"JSON_ARRAYAGG(a ABSENT ON NULL) FILTER (WHERE b)",
         "(JSON_ARRAYAGG a filter[b] absent-on-null)"},
        {"a IS JSON", "(IS JSON a)"},
        {"a IS NOT JSON OBJECT AND b", "(AND (IS NOT JSON a 'OBJECT') b)"},
        {"size + data + timecol + step + gap + name + type + item + side + status",
         "(+ (+ (+ (+ (+ (+ (+ (+ (+ size data) timecol) step) gap) name) type) item) side) "
         "status)"},
        {"week + quarter + map + key + first + last + zone + view + json + nulls + if + replace",
         "(+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ week quarter) map) key) first) last) zone) view) json) "
         "nulls) if) replace)"},
    };
    check_cases(PARSE_EXPRESSION, CASES, COUNT(CASES));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(binds_operators),
        cmocka_unit_test(parses_calls),
        cmocka_unit_test(parses_literals),
        cmocka_unit_test(parses_json_and_plain_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
