/*
 * JSON functions: types and values that Flink gives. Clauses are constant words among the
 * arguments, as the functions take them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/unit/functions/call_case.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void test_values(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"JSON_VALUE", "STRING|{\"a\": 12};STRING|$.a", "STRING", "12"},
        {"JSON_VALUE", "STRING|{\"a\": true};STRING|$.a", "STRING", "true"},
        {"JSON_VALUE", "STRING|{\"a\": 1.50};STRING|$.a", "STRING", "1.50"},
        {"JSON_VALUE", "STRING|{\"a\": 1e5};STRING|$.a", "STRING", "1E+5"},
        {"JSON_VALUE", "STRING|{\"a\": 0e5};STRING|$.a", "STRING", "0E+5"},
        {"JSON_VALUE", "STRING|{\"a\": 1.0E-10};STRING|$.a", "STRING", "1.0E-10"},
        {"JSON_VALUE", "STRING|{\"a\": 1e400};STRING|$.a", "STRING", "1E+400"},
        {"JSON_VALUE", "STRING|{\"a\": -0};STRING|$.a", "STRING", "0"},
        {"JSON_VALUE", "STRING|{\"a\": -0.0};STRING|$.a", "STRING", "0.0"},
        {"JSON_VALUE", "STRING|{\"a\": 123456789012345678901234567890};STRING|$.a", "STRING",
         "123456789012345678901234567890"},
        {"JSON_VALUE", "STRING|{\"a\": \"\\ud83d\"};STRING|$.a", "STRING", "?"},
        {"JSON_VALUE", "STRING|{\"a\": \"\\ud83d\\ude00\"};STRING|$.a", "STRING",
         "\360\237\230\200"},
        {"JSON_VALUE", "STRING|{\"a\":7,\"a\":8};STRING|$.a", "STRING", "8"},
        {"JSON_VALUE", "STRING|{\"a\":7} x;STRING|$.a", "STRING", "7"},
        {"JSON_VALUE", "STRING|{\"a\":7,};STRING|$.a", "STRING", "<NULL>"},
        {"JSON_VALUE", "STRING|{\"a\":007};STRING|$.a", "STRING", "<NULL>"},
        {"JSON_VALUE", "STRING|{'a':7};STRING|$.a", "STRING", "<NULL>"},
        {"JSON_VALUE", "STRING|{\"a\":[1,2]};STRING|$.a", "STRING", "<NULL>"},
        {"JSON_VALUE", "STRING|NULL;STRING|$.a", "STRING", "<NULL>"},
        {"JSON_VALUE", "INT|5;STRING|$.a", NULL, "!a JSON text and a path"},
    };
    call_cases_check(cases, COUNT(cases), "UTC");
}

/* Empty and error differ: strict, the default, makes a missing value an error. */
static void test_behaviours(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"JSON_VALUE", "STRING|{\"a\":1};STRING|$.z;'DEFAULT';STRING|e;'DEFAULT';STRING|r", NULL,
         "r"},
        {"JSON_VALUE", "STRING|{\"a\":1};STRING|lax $.z;'DEFAULT';STRING|e;'DEFAULT';STRING|r",
         NULL, "e"},
        {"JSON_VALUE", "STRING|{\"a\":null};STRING|$.a;'DEFAULT';STRING|e;'DEFAULT';STRING|r", NULL,
         "r"},
        {"JSON_VALUE", "STRING|{\"a\":[1]};STRING|LAX  $.a;'DEFAULT';STRING|e;'DEFAULT';STRING|r",
         NULL, "e"},
        {"JSON_VALUE", "STRING|bad;STRING|lax $.a;'DEFAULT';STRING|e;'DEFAULT';STRING|r", NULL,
         "e"},
        {"JSON_VALUE", "STRING|bad;STRING|$.a;'DEFAULT';STRING|e;'DEFAULT';STRING|r", NULL, "r"},
        {"JSON_VALUE", "STRING|{\"a\":1};STRING|lax $..[;'DEFAULT';STRING|e;'DEFAULT';STRING|r",
         NULL, "r"},
        {"JSON_VALUE", "STRING|{\"a\":1e99999999999};STRING|$.a;'NULL';STRING|e;'DEFAULT';STRING|r",
         NULL, "r"},
        {"JSON_VALUE", "STRING|{\"a\":1};STRING|$.z;'NULL';STRING|e;'ERROR';STRING|r", NULL,
         "!No results for path: '$.z'"},
        {"JSON_VALUE", "STRING|bad;STRING|$.z;'NULL';STRING|e;'ERROR';STRING|r", NULL,
         "!the text is no JSON: 'bad'"},
        {"JSON_VALUE", "STRING|{\"a\":1};STRING|lax $.z;'ERROR';STRING|e;'NULL';STRING|r", NULL,
         "!Empty result of JSON_VALUE function is not allowed"},
        {"JSON_EXISTS", "STRING|{\"a\":1};STRING|$.a", "BOOLEAN", "TRUE"},
        {"JSON_EXISTS", "STRING|{\"a\":null};STRING|$.a", "BOOLEAN", "FALSE"},
        {"JSON_EXISTS", "STRING|{\"a\":null};STRING|$.a;'TRUE'", "BOOLEAN", "TRUE"},
        {"JSON_EXISTS", "STRING|{\"a\":1};STRING|$.b", "BOOLEAN", "FALSE"},
        {"JSON_EXISTS", "STRING|{\"a\":1};STRING|$.b;'TRUE'", "BOOLEAN", "TRUE"},
        {"JSON_EXISTS", "STRING|{\"a\":1};STRING|$.b;'UNKNOWN'", "BOOLEAN", "<NULL>"},
        {"JSON_EXISTS", "STRING|{\"a\":1};STRING|lax $.b;'TRUE'", "BOOLEAN", "FALSE"},
        {"JSON_EXISTS", "STRING|bad;STRING|$.b;'ERROR'", NULL, "!the text is no JSON"},
        {"JSON_EXISTS", "STRING|[];STRING|$[*]", "BOOLEAN", "TRUE"},
        {"JSON_EXISTS", "STRING|NULL;STRING|$.b", "BOOLEAN", "<NULL>"},
        {"JSON_QUERY", "STRING|{\"a\":1};STRING|$.a", "STRING", "<NULL>"},
        {"JSON_QUERY", "STRING|{\"a\":1};STRING|$.a;'UNCONDITIONAL'", "STRING", "[1]"},
        {"JSON_QUERY", "STRING|{\"a\":[1]};STRING|$.a;'UNCONDITIONAL'", "STRING", "[[1]]"},
        {"JSON_QUERY", "STRING|{\"a\":[1]};STRING|$.a;'CONDITIONAL'", "STRING", "[1]"},
        {"JSON_QUERY", "STRING|{\"a\":{\"b\":1}};STRING|$.a;'CONDITIONAL'", "STRING",
         "[{\"b\":1}]"},
        {"JSON_QUERY", "STRING|{\"a\":1};STRING|lax $.z;'WITHOUT';=STRING|EMPTY ARRAY;'NULL'",
         "STRING", "[]"},
        {"JSON_QUERY", "STRING|{\"a\":null};STRING|$.a;'WITHOUT';'NULL';=STRING|EMPTY OBJECT",
         "STRING", "{}"},
        {"JSON_QUERY", "STRING|{\"a\":1};STRING|$.a;'WITHOUT';'NULL';'ERROR'", NULL,
         "!Strict jsonpath mode requires array or object value"},
    };
    call_cases_check(cases, COUNT(cases), "UTC");
}

static void test_paths(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"JSON_VALUE", "STRING|{\"a\":{\"b\":\"c d\"}};STRING|$['a'][\"b\"]", NULL, "c d"},
        {"JSON_VALUE", "STRING|{\"a-b\":7};STRING|$.a-b", NULL, "7"},
        {"JSON_VALUE", "STRING|{\"a b\":7};STRING|$.a b", NULL, "<NULL>"},
        {"JSON_VALUE", "STRING|{\"a\":7};STRING|a", NULL, "7"},
        {"JSON_VALUE", "STRING|{\"a\":7};STRING|$.", NULL, "<NULL>"},
        {"JSON_VALUE", "STRING|5;STRING|$", NULL, "5"},
        {"JSON_VALUE", "STRING|[1,[2,3]];STRING|$[1][0]", NULL, "2"},
        {"JSON_VALUE", "STRING|[1,2,3];STRING|$[-1]", NULL, "3"},
        {"JSON_VALUE", "STRING|[1,2,3];STRING|$[9]", NULL, "<NULL>"},
        {"JSON_QUERY", "STRING|[{\"a\":1},{\"a\":2}];STRING|$[*].a", NULL, "[1,2]"},
        {"JSON_QUERY", "STRING|{\"x\":{\"a\":1},\"y\":{\"a\":2}};STRING|$.*.a", NULL, "[1,2]"},
        {"JSON_QUERY", "STRING|{\"a\":{\"b\":{\"a\":2}}};STRING|$..a", NULL,
         "[{\"b\":{\"a\":2}},2]"},
        {"JSON_QUERY", "STRING|[[1,2],[3]];STRING|$..[0]", NULL, "[[1,2],1,3]"},
        {"JSON_QUERY", "STRING|[1,2,3,4];STRING|$[1:3]", NULL, "[2,3]"},
        {"JSON_QUERY", "STRING|[1,2,3,4];STRING|$[-2:]", NULL, "[3,4]"},
        {"JSON_QUERY", "STRING|[1,2,3];STRING|$[0:-1]", NULL, "[]"},
        {"JSON_QUERY", "STRING|[1,2,3];STRING|$[0, 9]", NULL, "[1]"},
        {"JSON_QUERY", "STRING|{\"a\":1};STRING|lax $.a[*]", NULL, "[]"},
        {"JSON_QUERY", "STRING|{\"b\":{\"z\":1,\"y\":[{\"d\":1e5,\"c\":2}]}};STRING|$.b", NULL,
         "{\"y\":[{\"c\":2,\"d\":1E+5}],\"z\":1}"},
        {"JSON_VALUE", "STRING|[1];STRING|$[?(@ > 1)]", NULL, "!a filter is not supported"},
        {"JSON_VALUE", "STRING|[1];STRING|$.length()", NULL, "!a function is not supported"},
    };
    call_cases_check(cases, COUNT(cases), "UTC");
}

static void test_is_json(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"IS JSON", "STRING|{\"a\":1}", "BOOLEAN NOT NULL", "TRUE"},
        {"IS JSON", "STRING|abc", "BOOLEAN NOT NULL", "FALSE"},
        {"IS NOT JSON", "STRING|abc", "BOOLEAN NOT NULL", "TRUE"},
        {"IS JSON", "STRING|{} x", "BOOLEAN NOT NULL", "TRUE"},
        {"IS JSON", "STRING| ", "BOOLEAN NOT NULL", "FALSE"},
        {"IS JSON", "STRING|1.", "BOOLEAN NOT NULL", "FALSE"},
        {"IS JSON", "STRING|-", "BOOLEAN NOT NULL", "FALSE"},
        {"IS JSON", "STRING|truex", "BOOLEAN NOT NULL", "FALSE"},
        {"IS JSON", "STRING|\"\\u12\"", "BOOLEAN NOT NULL", "FALSE"},
        {"IS JSON", "STRING|[1 2]", "BOOLEAN NOT NULL", "FALSE"},
        {"IS JSON", "STRING|null;'SCALAR'", "BOOLEAN NOT NULL", "TRUE"},
        {"IS JSON", "STRING|{};'ARRAY'", "BOOLEAN NOT NULL", "FALSE"},
        {"IS NOT JSON", "STRING|[];'OBJECT'", "BOOLEAN NOT NULL", "TRUE"},
        {"IS JSON", "STRING|NULL", "BOOLEAN NOT NULL", "FALSE"},
        {"IS NOT JSON", "STRING|NULL", "BOOLEAN NOT NULL", "TRUE"},
    };
    call_cases_check(cases, COUNT(cases), "UTC");
}

static void test_building(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"JSON_OBJECT", "'N'", "STRING NOT NULL", "{}"},
        {"JSON_OBJECT", "'Nvv';=STRING|b;INT|1;=STRING|a;DECIMAL(3,2)|1.50", "STRING NOT NULL",
         "{\"a\":1.50,\"b\":1}"},
        {"JSON_OBJECT", "'Nvv';=STRING|a;=INT|1;=STRING|a;=INT|2", NULL, "{\"a\":2}"},
        {"JSON_OBJECT", "'Nv';=STRING|a;INT|NULL", NULL, "{\"a\":null}"},
        {"JSON_OBJECT", "'Av';=STRING|a;INT|NULL", NULL, "{}"},
        {"JSON_OBJECT", "'Nr';=STRING|k;STRING|[1,2]", NULL, "{\"k\":[1,2]}"},
        {"JSON_OBJECT", "'Nv';=STRING|k;STRING|[1,2]", NULL, "{\"k\":\"[1,2]\"}"},
        {"JSON_OBJECT", "'Nj';=STRING|k;=STRING|{\"z\":1.50, \"b\":[ 1]} x", NULL,
         "{\"k\":{\"b\":[1],\"z\":1.50}}"},
        {"JSON_OBJECT", "'Nj';=STRING|k;=STRING|bad", NULL, "!the text is no JSON: 'bad'"},
        {"JSON_OBJECT", "'Nv';=STRING|k;DATE|2024-01-01", NULL, "!cannot be converted into JSON"},
        {"JSON_ARRAY", "'A'", "STRING NOT NULL", "[]"},
        {"JSON_ARRAY", "'Avv';INT|1;INT|NULL", NULL, "[1]"},
        {"JSON_ARRAY", "'Nvv';=INT|1;INT|NULL", NULL, "[1,null]"},
        {"JSON_STRING", "STRING|a\"b/", "STRING NOT NULL", "\"a\\\"b/\""},
        {"JSON_STRING", "DOUBLE|1e10", "STRING NOT NULL", "1.0E+10"},
        {"JSON_STRING", "TIMESTAMP(0)|2024-01-01 10:00:00", NULL, "\"2024-01-01T10:00:00\""},
        {"JSON_STRING", "BYTES|abc", NULL, "\"YWJj\""},
        {"JSON_STRING", "DATE|2024-01-01", NULL, "!cannot be converted into JSON"},
        {"JSON_QUOTE", "STRING|a/b\\c\n\303\251", "STRING NOT NULL", "\"a\\/b\\\\c\\n\\u00e9\""},
        {"JSON_QUOTE", "STRING|\360\237\230\200", NULL, "\"\\u1f600\\ude00\""},
        {"JSON_QUOTE", "INT|5", NULL, "!Cannot apply 'JSON_QUOTE'"},
        {"JSON_UNQUOTE", "STRING|\"a\\u00e9\\n\\/x\"", "STRING NOT NULL", "a\303\251\n/x"},
        {"JSON_UNQUOTE", "STRING|\"a\\qb\"", NULL, "\"a\\qb\""},
        {"JSON_UNQUOTE", "STRING|\"a\\\"", NULL, "\"a\\\""},
        {"JSON_UNQUOTE", "STRING|\"a\"b\"", NULL, "a\"b"},
        {"JSON_UNQUOTE", "STRING|\"", NULL, "\""},
        {"JSON", "STRING|1", NULL, "!The JSON() function works only inside"},
    };
    call_cases_check(cases, COUNT(cases), "UTC");
}

static void test_failing_allocations(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"JSON_VALUE", "STRING|{\"a\": \"x\\ty\"};STRING|$.a", NULL, NULL},
        {"JSON_QUERY", "STRING|{\"b\":{\"z\":1.5,\"y\":[{\"d\":1e5}]}};STRING|$..*", NULL, NULL},
        {"JSON_EXISTS", "STRING|[[1,2],[3]];=STRING|$[*]['a']", NULL, NULL},
        {"IS JSON", "STRING|{\"a\":1,\"b\":2}", NULL, NULL},
        {"JSON_OBJECT", "'Nvj';=STRING|b;INT|1;=STRING|a;STRING|{\"z\":[1]}", NULL, NULL},
        {"JSON_ARRAY", "'Avv';INT|1;DOUBLE|1.5", NULL, NULL},
        {"JSON_STRING", "STRING|a text that is longer than twelve bytes", NULL, NULL},
        {"JSON_QUOTE", "STRING|a text that is longer than twelve bytes", NULL, NULL},
        {"JSON_UNQUOTE", "STRING|\"a text that is \\n longer than twelve bytes\"", NULL, NULL},
    };
    call_cases_fail(cases, COUNT(cases));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),   cmocka_unit_test(test_behaviours),
        cmocka_unit_test(test_paths),    cmocka_unit_test(test_is_json),
        cmocka_unit_test(test_building), cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
