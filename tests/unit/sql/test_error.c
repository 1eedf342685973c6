/*
 * What is said about text that is no SQL: place, what was found, what could stand there, why.
 */
#include "tests/unit/sql/parse_case.h"

static void names_the_mistake(void **state) {
    (void)state;
    static const struct parse_case CASES[] = {
        {"SELECT * FORM orders", "1:10 found FORM, expected ',', the end of the statement, FROM, "
                                 "LIMIT, OFFSET, ORDER ...: did you mean FROM?"},
        {"SELECT a FORM orders", "1:15 found orders, expected ',', the end of the statement, FROM, "
                                 "LIMIT, OFFSET, ORDER ...: did you mean FROM instead of FORM?"},
        {"SELECT * FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE",
         "1:72 found the end of the text, expected ')', ',', ORDER, PARTITION, TO, '(' ..."},
        {"SELECT * FROM TUMBLE(DATA => TABLE t, SIZE => x, OFFSET => INTERVAL '1' MINUTE)",
         "1:50 found OFFSET, expected an expression or TABLE: OFFSET is a reserved word, as a name "
         "it stands in backticks: `OFFSET`"},
        {"SELECT * FROM TUMBLE(DESCRIPTOR(ts), TABLE t, x)",
         "1:22 expected TABLE: the table is the first argument of TUMBLE, as in TUMBLE(TABLE t, "
         "DESCRIPTOR(ts), ...)"},
        {"SELECT \"a\" FROM t",
         "1:8 found \"a\" in double quotes: use backticks for names and single quotes for strings"},
        {"SELECT a FROM \"t;x\"",
         "1:15 found \"t in double quotes: use backticks for names and single quotes for strings"},
        {"SELECT count FROM t", "1:14 found FROM, expected '(': count is a reserved word, as a "
                                "name it stands in backticks: `count`"},
        {"SELECT a AS date FROM t", "1:13 found date, expected a name: DATE is a reserved word, as "
                                    "a name it stands in backticks: `date`"},
        {"SELECT value, b FROM t",
         "1:8 found value, expected an expression, ALL, DISTINCT, '*' or /*+: VALUE is a reserved "
         "word, as a name it stands in backticks: `value`"},
        {"CREATE TABLE t (a INT, timestamp TIMESTAMP(3))",
         "1:24 found timestamp, expected a name, CONSTRAINT, PRIMARY, UNIQUE or WATERMARK: "
         "TIMESTAMP is a reserved word, as a name it stands in backticks: `timestamp`"},
        {"CREATE TABLE t (a INT, b)", "1:24 the column b has no type"},
        {"CREATE TABLE t (a INT, PRIMARY KEY (a))",
         "1:24 Flink doesn't support ENFORCED mode for PRIMARY KEY constraint: the data is not "
         "checked, write PRIMARY KEY ... NOT ENFORCED"},
        {"CREATE TABLE t (a INT PRIMARY KEY NOT ENFORCED, PRIMARY KEY (a) NOT ENFORCED)",
         "1:49 a table has only one primary key, this is the second"},
        {"CREATE TABLE t (a INT, UNIQUE (a))",
         "1:24 a UNIQUE constraint is not supported by this version"},
        {"CREATE TABLE t (a INT) DISTRIBUTED BY HASH(a) INTO 4 BUCKETS",
         "1:24 DISTRIBUTED is not supported by this version"},
        {"CREATE TABLE t (a INT) WITH ('a' = 'b' 'c' = 'd')",
         "1:40 found 'c', expected ')' or ','"},
        {"CREATE TABLE t (a INT) WITH (a = 'b')",
         "1:30 found a, expected ')' or a string in single quotes"},
        {"CREATE TABLE t LIKE u (INCLUDING THINGS)",
         "1:24 found THINGS, expected ALL, CONSTRAINTS, DISTRIBUTION, GENERATED, METADATA, "
         "OPTIONS, PARTITIONS or WATERMARKS"},
        {"CREATE TABEL t (a INT)",
         "1:8 found TABEL, expected TABLE, VIEW, FUNCTION, DATABASE or CATALOG"},
        {"CREATE VIEW v AS",
         "1:17 found the end of the text, expected SELECT, TABLE, VALUES, WITH or '('"},
        {"SELECT 'abc", "1:8 this string has no closing quote"},
        {"SELECT `abc", "1:8 this name has no closing backtick"},
        {"SELECT `` FROM t", "1:8 found an empty name ``"},
        {"SELECT 1 /* abc", "1:10 this comment has no end: */ is missing"},
        {"SELECT a FROM t WHERE a == 1", "1:25 found ==: equality is written ="},
        {"SELECT a::INT FROM t", "1:9 found ::: a cast is written CAST(value AS type)"},
        {"SELECT ?", "1:8 found ?: a script has no parameters, write the value"},
        {"SELECT a # b", "1:10 found the character #"},
        {"SELECT X'123'", "1:8 a binary string X'...' needs an even number of digits"},
        {"SELECT X'1g'", "1:8 a binary string X'...' holds hexadecimal digits only"},
        {"SELECT U&'\\12'",
         "1:8 the string U&'...' has an escape that is no character: write \\XXXX or \\+XXXXXX"},
        {"SELECT U&'a' UESCAPE 'xx'", "1:8 after UESCAPE stands one character in quotes"},
        {"SELECT _LATIN1'a'", "1:8 found the character set LATIN1: strings are Unicode, write "
                              "_UTF8'...' or no character set"},
        {"SELECT a FROM t WHERE", "1:22 found the end of the text, expected an expression"},
        {"SELECT a, FROM t", "1:11 found FROM, expected an expression or '*'"},
        {"SELECT (1, 2", "1:13 found the end of the text, expected ')', ',' or an operator"},
        {"SELECT 1)",
         "1:9 found ')', expected ',', the end of the statement, a name, AS, FROM, LIMIT ..."},
        {"SELECT CASE a WHEN 1 THEN 2",
         "1:28 found the end of the text, expected ELSE, END, WHEN or an operator"},
        {"SELECT a BETWEEN 1 OR 2", "1:24 found the end of the text, expected AND or an operator"},
        {"SELECT a IN ()", "1:14 found ')', expected an expression, SELECT, TABLE, VALUES or WITH"},
        {"SELECT a FROM t GROUP a", "1:23 found a, expected BY"},
        {"SELECT a FROM t LIMIT x", "1:23 found x, expected a number or ALL"},
        {"SELECT a FROM t LIMIT 2, 3",
         "1:24 'LIMIT start, count' is not allowed; write LIMIT count OFFSET start"},
        {"SELECT a FROM t OFFSET 2 LIMIT 3",
         "1:26 'OFFSET start LIMIT count' is not allowed; write LIMIT count OFFSET start"},
        {"SELECT INTERVAL '1'", "1:20 found the end of the text, expected a time unit"},
        {"SELECT INTERVAL '1' DAY TO YEAR", "1:21 DAY TO YEAR is no interval"},
        {"SELECT INTERVAL '1' DAY(1, 2)", "1:21 only SECOND has a fraction"},
        {"SELECT CAST(a AS INT(3))", "1:18 the type INT takes no parentheses"},
        {"SELECT CAST(a AS VARCHAR(1.5))", "1:18 found 1.5, expected a small whole number"},
        {"SELECT CAST(a AS VARCHAR(99999999999999999999))",
         "1:18 found 99999999999999999999, expected a small whole number"},
        {"SELECT JSON_EXISTS(a, 'b' NULL ON ERROR)",
         "1:27 this ON EMPTY or ON ERROR does not go with JSON_EXISTS"},
        {"SELECT JSON_VALUE(a, 'b' NULL ON ERROR ERROR ON ERROR)", "1:40 ON ERROR stands twice"},
        {"SELECT (a + b) DAY",
         "1:16 a unit stands behind the difference of two times, as in (a - b) DAY"},
        {"SELECT * FROM t, LATERAL TABLE(f(x))", "1:18 LATERAL is not supported by this version"},
        {"SELECT * FROM t MATCH_RECOGNIZE (x)",
         "1:17 MATCH_RECOGNIZE is not supported by this version"},
        {"SELECT * FROM t FOR SYSTEM_TIME AS OF x",
         "1:17 a temporal join (FOR SYSTEM_TIME AS OF) is not supported by this version"},
        {"SELECT * FROM t TABLESAMPLE BERNOULLI (10)",
         "1:17 TABLESAMPLE is not supported by this version"},
        {"SELECT * FROM f(x PARTITION BY y)",
         "1:17 PARTITION BY and ORDER BY follow a table: expected TABLE or a query in parentheses"},
        {"SELECT TUMBLE(TABLE t, 1)",
         "1:15 found TABLE, expected ')', an expression, ALL, DISTINCT or '*'"},
        {"SELEC 1", "1:1 found SELEC, expected a statement such as SELECT, INSERT, CREATE TABLE or "
                    "SET: did you mean SELECT?"},
        {"FOO BAR",
         "1:1 found FOO, expected a statement such as SELECT, INSERT, CREATE TABLE or SET"},
        {"DROP t", "1:6 found t, expected TABLE, VIEW, FUNCTION, DATABASE or CATALOG"},
        {"SHOW TABEL",
         "1:6 found TABEL, expected TABLES, VIEWS, CREATE TABLE, CREATE VIEW, COLUMNS, FUNCTIONS, "
         "DATABASES, CATALOGS, CURRENT DATABASE or CURRENT CATALOG"},
        {"SET 'a'", "1:8 found the end of the text, expected '='"},
        {"SET a", "1:5 found a, expected 'key' = 'value'"},
        {"SET 'a' = b", "1:11 found b, expected a string in single quotes"},
        {"USE 'x'", "1:5 found 'x', expected the name of a database or CATALOG"},
        {"DESCRIBE", "1:9 found the end of the text, expected the name of a table or view"},
        {"EXPLAIN FOO SELECT 1", "1:9 found FOO, expected PLAN FOR, ANALYZE, ESTIMATED_COST, "
                                 "CHANGELOG_MODE, JSON_EXECUTION_PLAN, PLAN_ADVICE or a query"},
        {"EXPLAIN FOO FOR SELECT 1", "1:9 found FOO FOR, expected PLAN FOR"},
        {"INSERT t SELECT 1", "1:8 found t, expected INTO or OVERWRITE"},
        {"BEGIN STATEMENT SET; SELECT 1; END", "1:22 found SELECT, expected INSERT"},
        {"EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1;",
         "1:52 found the end of the text, expected END or INSERT"},
        {"EXPLAIN ANALYZE, ANALYZE SELECT 1", "1:18 ANALYZE stands twice"},
    };
    check_cases(PARSE_STATEMENT, CASES, COUNT(CASES));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_the_mistake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
