/*
 * Statements other than queries, from CREATE TABLE to those that are only recognised.
 */
#include "tests/unit/sql/parse_case.h"

static void parses_statements(void **state) {
    (void)state;
    static const struct parse_case CASES[] = {
        {"CREATE TABLE t (a INT, b STRING NOT NULL COMMENT 'x') WITH ('k' = 'v', 'c' = 'd;e''f')",
         "create-table t a:INT b:STRING! 'x' options[k=v c=d;e'f]"},
        {"CREATE OR REPLACE TEMPORARY TABLE IF NOT EXISTS c.d.t (a INT) COMMENT 'about t' "
         "PARTITIONED BY (a, b)",
         "create-table or-replace temporary if-not-exists c.d.t a:INT partitioned(a b) 'about t'"},
        {"CREATE TABLE t (ts TIMESTAMP(3), c AS a + 1 COMMENT 'y', WATERMARK FOR ts AS ts  -  "
         "INTERVAL '5' SECOND)",
         "create-table t ts:TIMESTAMP:3 c:(+ a 1) 'y' watermark ts {ts  -  INTERVAL '5' SECOND} (- "
         "ts interval:5:8(-1))"},
        {"CREATE TABLE t (m STRING METADATA FROM 'k' VIRTUAL, n TIMESTAMP_LTZ(3) METADATA COMMENT "
         "'z', metadata INT, r ROW<m INT> METADATA VIRTUAL)",
         "create-table t m:STRING metadata(k) virtual n:TIMESTAMP_LTZ:3 metadata() 'z' "
         "metadata:INT r:ROW<m INT> metadata() virtual"},
        {"CREATE TABLE t (a INT, b INT, CONSTRAINT pk PRIMARY KEY (a, b) NOT ENFORCED)",
         "create-table t a:INT b:INT key(a b)"},
        {"CREATE TABLE t (a INT NOT NULL PRIMARY KEY NOT ENFORCED COMMENT 'id')",
         "create-table t a:INT! key 'id' key(a)"},
        {"CREATE TABLE t (a INT, WATERMARK FOR r.x AS r.x)",
         "create-table t a:INT watermark r.x {r.x} r.x"},
        {"CREATE TABLE t LIKE c.u (INCLUDING ALL EXCLUDING OPTIONS OVERWRITING WATERMARKS)",
         "create-table t like c.u(INCLUDING ALL EXCLUDING OPTIONS OVERWRITING WATERMARKS)"},
        {"CREATE TABLE t WITH ('a' = 'b') LIKE u", "create-table t like u() options[a=b]"},
        {"CREATE TABLE t WITH ('a' = 'b') AS SELECT a FROM  u",
         "create-table t options[a=b]: select a from u {SELECT a FROM  u}"},
        {"CREATE TABLE t (a, b) AS VALUES (1, 2)",
         "create-table t(a b): values (ROW 1 2) {VALUES (1, 2)}"},
        {"CREATE TABLE t (a BOOLEAN, b TINYINT, c SMALLINT, d INTEGER, e BIGINT, f FLOAT, g DOUBLE "
         "PRECISION, h DEC(5), i NUMERIC(5, 2), j CHAR(3), k VARCHAR(4), l BYTES, m BINARY(2), n "
         "VARBINARY(3), o DATE, p TIME(0), q TIMESTAMP(6) WITHOUT TIME ZONE, r TIMESTAMP WITH TIME "
         "ZONE, s REAL)",
         "create-table t a:BOOLEAN b:TINYINT c:SMALLINT d:INT e:BIGINT f:FLOAT g:DOUBLE "
         "h:DECIMAL:5 i:DECIMAL:5,2 j:CHAR:3 k:VARCHAR:4 l:BYTES m:BINARY:2 n:VARBINARY:3 o:DATE "
         "p:TIME:0 q:TIMESTAMP:6 r:TIMESTAMP WITH TIME ZONE s:FLOAT"},
        {"CREATE TABLE t (a ARRAY<ARRAY<INT>>, b MAP<STRING, ROW<x INT, y INT>>, c MULTISET<INT>, "
         "d ROW(a INT 'c', b STRING), e INT ARRAY MULTISET, f RAW('a', 'b'), g INTERVAL YEAR TO "
         "MONTH)",
         "create-table t a:ARRAY<ARRAY<INT>> b:MAP<STRING ROW<x INT y INT>> c:MULTISET<INT> "
         "d:ROW<a INT b STRING> e:MULTISET<ARRAY<INT>> f:RAW g:INTERVAL YEAR TO MONTH:-1,-1"},
        {"CREATE VIEW v AS SELECT  1 AS a", "create-view v: select 1 as a {SELECT  1 AS a}"},
        {"CREATE TEMPORARY VIEW IF NOT EXISTS v (a, b COMMENT 'c') COMMENT 'd' AS SELECT 1, 2 -- "
         "end",
         "create-view temporary if-not-exists v(a b) 'd': select 1, 2 {SELECT 1, 2}"},
        {"DROP TABLE t", "drop TABLE t"},
        {"DROP TEMPORARY VIEW IF EXISTS a.b", "drop VIEW temporary if-exists a.b"},
        {"DROP FUNCTION f", "drop FUNCTION f"},
        {"DROP CATALOG c CASCADE", "drop CATALOG c"},
        {"SET", "set"},
        {"SET 'table.local-time-zone' = 'Asia/Seoul'",
         "set key=table.local-time-zone value=Asia/Seoul"},
        {"SET execution.runtime-mode = batch", "set key=execution.runtime-mode value=batch"},
        {"SET a.b='c d'", "set key=a.b value=c d"},
        {"RESET", "reset"},
        {"RESET 'a.b'", "reset key=a.b"},
        {"RESET a.b", "reset key=a.b"},
        {"DESCRIBE a.t", "describe a.t"},
        {"DESC EXTENDED t", "describe <EXTENDED> t"},
        {"SHOW TABLES", "show <TABLES>"},
        {"SHOW TABLES FROM d NOT LIKE 'x%'", "show <TABLES> d key=NOT LIKE value=x%"},
        {"SHOW VIEWS", "show <VIEWS>"},
        {"SHOW CREATE TABLE a.b", "show <CREATE TABLE> a.b"},
        {"SHOW COLUMNS IN t LIKE '%'", "show <COLUMNS> t key=LIKE value=%"},
        {"SHOW FUNCTIONS", "show <FUNCTIONS>"},
        {"SHOW USER FUNCTIONS", "show <USER FUNCTIONS>"},
        {"SHOW CURRENT CATALOG", "show <CURRENT CATALOG>"},
        {"SHOW DATABASES", "show <DATABASES>"},
        {"EXPLAIN SELECT 1", "explain: query: select 1"},
        {"EXPLAIN PLAN FOR SELECT 1", "explain <PLAN FOR>: query: select 1"},
        {"EXPLAIN ANALYZE SELECT 1", "explain <ANALYZE> analyze: query: select 1"},
        {"EXPLAIN ESTIMATED_COST, changelog_mode INSERT INTO t SELECT 1",
         "explain <ESTIMATED_COST, CHANGELOG_MODE>: insert t: select 1"},
        {"EXPLAIN STATEMENT SET BEGIN INSERT INTO a SELECT 1; INSERT INTO b VALUES (2); END",
         "explain: statement-set: insert a: select 1; insert b: values (ROW 2)"},
        {"USE d", "use d"},
        {"USE CATALOG c", "use <CATALOG> c"},
        {"USE catalog", "use catalog"},
        {"INSERT INTO t SELECT 1", "insert t: select 1"},
        {"INSERT INTO a.b (x, y) VALUES (1, 2)", "insert a.b(x y): values (ROW 1 2)"},
        {"INSERT OVERWRITE t PARTITION (d = '1', e = 2, f) WITH q AS (SELECT 1) SELECT * FROM q",
         "insert overwrite t partition[d=1 e=2 f=-]: with q(select 1) select * from q"},
        {"INSERT INTO t /*+ OPTIONS('x' = 'y') */ (SELECT 1)", "insert t options[x=y]: select 1"},
        {"INSERT INTO t (a) (SELECT 1) UNION ALL SELECT 2",
         "insert t(a): (union-all select 1 | select 2)"},
        {"INSERT INTO t TABLE u", "insert t: select * from u"},
        {"EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT CASE WHEN b THEN 1 END; INSERT INTO b "
         "SELECT 2; END",
         "statement-set: insert a: select (case b 1); insert b: select 2"},
        {"BEGIN STATEMENT SET; INSERT INTO a SELECT 1; END", "statement-set: insert a: select 1"},
        {"EXECUTE INSERT INTO t SELECT 1", "insert t: select 1"},
        {"ALTER DATABASE d SET ('a' = 'b')", "other <ALTER DATABASE>"},
        {"CREATE TEMPORARY SYSTEM FUNCTION f AS 'x.Y' LANGUAGE JAVA", "other <CREATE FUNCTION>"},
        {"CREATE CATALOG c WITH ('a' = 'b')", "other <CREATE CATALOG> c"},
        {"CREATE DATABASE d", "other <CREATE DATABASE> d"},
        {"ADD JAR 'x.jar'", "other <ADD JAR>"},
        {"LOAD MODULE m", "other <LOAD MODULE>"},
        {"ANALYZE TABLE t COMPUTE STATISTICS", "other <ANALYZE TABLE>"},
        {"TRUNCATE TABLE t", "other <TRUNCATE TABLE>"},
        {"CALL p(1, 2)", "other <CALL>"},
        {"DELETE FROM t WHERE a = 1", "other <DELETE>"},
        {"UPDATE t SET a = 1", "other <UPDATE>"},
        {"EXECUTE PLAN 'x'", "other <EXECUTE PLAN>"},
        {"DESCRIBE CATALOG c", "other <DESCRIBE CATALOG>"},
        {"DESCRIBE catalog", "describe catalog"},
        {"USE MODULES a, b", "other <USE MODULES>"},
    };
    check_cases(PARSE_STATEMENT, CASES, COUNT(CASES));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parses_statements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
