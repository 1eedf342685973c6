/*
 * Aggregates of few rows with the types and answers of Flink; errors name what is wrong.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/functions/aggregate_case.h"

struct aggregate_test {
    const char *name; /* "DISTINCT SUM", "IGNORE ARRAY_AGG", "KEEP JSON_ARRAYAGG" */
    const char *arguments;
    const char *type;
    const char *result; /* "!text" for an error that contains the text */
};

static struct call_bench bench;
static char answer[AGGREGATE_RESULT_BYTES];

static const struct aggregate_test variances[] = {
    {"VAR_POP", "INT|5,2,0", "INT", "4"},
    {"VAR_SAMP", "INT|5,2,0,NULL", "INT", "6"},
    {"STDDEV_POP", "INT|-7,2", "INT", "4"},
    {"STDDEV_SAMP", "INT|-7,2", "INT", "6"},
    {"STDDEV", "INT|-7,2", "INT", "6"},
    {"VARIANCE", "INT|-7,2", "INT", "40"},
    {"VAR_POP", "INT|NULL,3", "INT", "0"},
    {"VAR_SAMP", "INT|NULL,3", "INT", "<NULL>"},
    {"VAR_POP", "INT|NULL", "INT", "<NULL>"},
    {"VAR_POP", "TINYINT|127,1", "TINYINT", "-127"},
    {"VAR_SAMP", "TINYINT|127,1", "TINYINT", "2"},
    {"STDDEV_SAMP", "TINYINT|127,1", "TINYINT", "89"},
    {"VAR_POP", "SMALLINT|-32768,-1", "SMALLINT", "-16384"},
    {"VAR_POP", "INT|2147483647,1", "INT", "2147483647"},
    {"STDDEV_POP", "INT|2147483647,1", "INT", "1073741823"},
    {"VAR_POP", "BIGINT|9223372036854775807,1", "BIGINT", "9223372036854775807"},
    {"STDDEV_POP", "BIGINT|9223372036854775807,1", "BIGINT", "4611686018427387904"},
    {"STDDEV_SAMP", "BIGINT|-9223372036854775808,-1", "BIGINT", "6521908912666391552"},
    {"VAR_POP", "FLOAT|7.7,2.2", "FLOAT", "7.5624995"},
    {"STDDEV_SAMP", "FLOAT|7.7,2.2", "FLOAT", "3.8890872"},
    {"VAR_POP", "DOUBLE|-7.7,2.2", "DOUBLE", "24.5025"},
    {"VAR_POP", "DOUBLE|1e308,1e308", "DOUBLE", "0.0"},
    {"STDDEV_POP", "DOUBLE|1e200,3e200", "DOUBLE", "Infinity"},
    {"STDDEV_POP", "DOUBLE|1e-200,3e-200", "DOUBLE", "0.0"},
    {"STDDEV_POP", "DOUBLE|1e150,3e150", "DOUBLE", "1.0000000000000002E150"},
    {"STDDEV_POP", "DOUBLE|1e-150,3e-150", "DOUBLE", "1.0000000000000001E-150"},
    {"VAR_POP", "DOUBLE|100000001,100000002,100000003", "DOUBLE", "0.6666666666666666"},
    {"VAR_POP", "DOUBLE|Infinity", "DOUBLE", "NaN"},
    {"VAR_SAMP", "DOUBLE|Infinity", "DOUBLE", "<NULL>"},
    {"VAR_POP", "DECIMAL(10,2)|10.05,3.33,-1.10", "DECIMAL(38, 6)", "21.011756"},
    {"STDDEV_SAMP", "DECIMAL(10,2)|10.05,3.33,-1.10", "DECIMAL(38, 6)", "5.614057"},
    {"STDDEV_POP", "DECIMAL(20,10)|10.05,3.33,-1.10", "DECIMAL(38, 10)", "4.5838581518"},
    {"VAR_SAMP", "DECIMAL(10,0)|2147483647,1", "DECIMAL(38, 6)", "2305843004918726660.000000"},
    {"VAR_POP", "DECIMAL(38,0)|99999999999999999999999999999999999999,-1", "DECIMAL(38, 6)",
     "<NULL>"},
    {"DISTINCT VAR_POP", "INT|1,1,1,3", "INT", "1"},
    {"VAR_POP", "STRING|a", NULL, "!Cannot apply 'VAR_POP'"},
    {"STDDEV", "BOOLEAN|true", NULL, "!a number is wanted"},
};

static const struct aggregate_test ordered[] = {
    {"FIRST_VALUE", "STRING|NULL,b,a", "STRING", "b"},
    {"LAST_VALUE", "STRING|a,a longer text than twelve,NULL", "STRING",
     "a longer text than twelve"},
    {"LAST_VALUE", "INT|NULL,NULL", "INT", "<NULL>"},
    {"DISTINCT LAST_VALUE", "STRING|a,NULL,b,a,NULL", "STRING", "b"},
    {"FIRST_VALUE", "NULL|NULL", NULL, "!Illegal use of 'NULL'"},
    {"LISTAGG", "STRING|a,NULL,b,a", "STRING", "a,b,a"},
    {"LISTAGG", "STRING|a,b;=STRING|-", "STRING", "a-b"},
    {"LISTAGG", "STRING|a,b;=STRING|NULL", NULL, "!must not be NULL"},
    {"LISTAGG", "STRING|a,b;STRING|x,y", NULL, "!must be a literal"},
    {"LISTAGG", "CHAR(3)|a,b", "CHAR(3)", "a  ,b  "},
    {"LISTAGG", "STRING|NULL", "STRING", "<NULL>"},
    {"LISTAGG", "INT|1", NULL, "!Cannot apply 'LISTAGG'"},
    {"DISTINCT LISTAGG", "STRING|b,a,b,c;=STRING|/", "STRING", "b/a/c"},
    {"ARRAY_AGG", "INT|10,NULL,-5,NULL", "ARRAY<INT>", "[10, NULL, -5, NULL]"},
    {"IGNORE ARRAY_AGG", "INT|10,NULL,-5,NULL", "ARRAY<INT>", "[10, -5]"},
    {"IGNORE ARRAY_AGG", "INT|NULL", "ARRAY<INT>", "<NULL>"},
    {"DISTINCT ARRAY_AGG", "STRING|a,NULL,b,a,NULL", "ARRAY<STRING>", "[a, NULL, b]"},
    {"DISTINCT IGNORE ARRAY_AGG", "INT|3,NULL,3,2", "ARRAY<INT>", "[3, 2]"},
    {"COLLECT", "INT|20,NULL,-5,20", "MULTISET<INT>", "{-5=1, 20=2}"},
    {"COLLECT", "STRING|NULL", "MULTISET<STRING>", "{}"},
    {"DISTINCT COLLECT", "INT|2,1,2", "MULTISET<INT>", "{1=1, 2=1}"},
    {"SINGLE_VALUE", "INT|7", "INT", "7"},
    {"SINGLE_VALUE", "INT|NULL", "INT", "<NULL>"},
    {"SINGLE_VALUE", "INT|NULL,1", "INT", "!received more than one element"},
    {"APPROX_COUNT_DISTINCT", "INT|1,2,NULL,2", "BIGINT", "2"},
    {"DISTINCT COUNT", "DOUBLE|0,-0.0,NaN,NaN,1", "BIGINT", "3"},
};

static const struct aggregate_test json[] = {
    {"JSON_ARRAYAGG", "INT|1,NULL,-2", "VARCHAR(2000)", "[1,-2]"},
    {"KEEP JSON_ARRAYAGG", "INT|1,NULL,-2", "VARCHAR(2000)", "[1,null,-2]"},
    {"JSON_ARRAYAGG", "INT|NULL", "VARCHAR(2000)", "[]"},
    {"JSON_ARRAYAGG", "DOUBLE|1e9,30000000000,1000000,1.2e7,1e-6,1e-4,1e-31,100,-0.0", NULL,
     "[1.0E+9,3.0E+10,1000000.0,1.2E+7,0.0000010,0.00010,1.0E-31,100.0,0.0]"},
    {"JSON_ARRAYAGG", "DOUBLE|NaN,Infinity,-7.7", NULL, "[\"NaN\",\"Infinity\",-7.7]"},
    {"JSON_ARRAYAGG", "FLOAT|0.1,1.5e10", NULL, "[0.10000000149011612,15000000512]"},
    {"JSON_ARRAYAGG", "DECIMAL(38,18)|0,0.0000003,0.000001005,10", NULL,
     "[0E-18,3.00000000000E-7,0.000001005000000000,10.000000000000000000]"},
    {"JSON_ARRAYAGG", "BOOLEAN|true,false", NULL, "[true,false]"},
    {"JSON_ARRAYAGG", "STRING|a\"\\/b\n", NULL, "[\"a\\\"\\\\/b\\n\"]"},
    {"JSON_ARRAYAGG", "STRING|\001\037\177", NULL, "[\"\\u0001\\u001F\177\"]"},
    {"JSON_ARRAYAGG", "BYTES|a,bc,def", NULL, "[\"YQ==\",\"YmM=\",\"ZGVm\"]"},
    {"JSON_ARRAYAGG", "TIMESTAMP(3)|2024-01-01 10:00:00.120,2024-01-01 00:00:00", NULL,
     "[\"2024-01-01T10:00:00.12\",\"2024-01-01T00:00:00\"]"},
    {"JSON_ARRAYAGG", "TIMESTAMP_LTZ(3)|2024-01-01 10:00:00.500", NULL,
     "[\"2024-01-01T10:00:00.5Z\"]"},
    {"JSON_ARRAYAGG", "DATE|2024-01-01", NULL, "!Type 'DATE' is not scalar"},
    {"JSON_OBJECTAGG", "STRING|b,a,10,9;INT|1,NULL,2,3", "VARCHAR(2000)",
     "{\"10\":2,\"9\":3,\"a\":null,\"b\":1}"},
    {"IGNORE JSON_OBJECTAGG", "STRING|b,a;INT|1,NULL", "VARCHAR(2000)", "{\"b\":1}"},
    {"JSON_OBJECTAGG", "STRING|a,a;INT|1,2", NULL, "!Key 'a' is already present"},
    {"JSON_OBJECTAGG", "STRING|NULL;INT|1", NULL, "!A key of JSON_OBJECTAGG is NULL"},
    {"JSON_OBJECTAGG", "INT|1;INT|1", NULL, "!Cannot apply 'JSON_OBJECTAGG'"},
};

static const struct aggregate_test percentiles[] = {
    {"PERCENTILE", "INT|10,NULL,20;=DECIMAL(3,2)|0.25", "DOUBLE", "12.5"},
    {"PERCENTILE", "INT|60,80,70;=INT|1", "DOUBLE", "80.0"},
    {"PERCENTILE", "INT|60,80,70;=INT|0", "DOUBLE", "60.0"},
    {"PERCENTILE", "FLOAT|0.1,0.2,0.3;=DOUBLE|0.1", "DOUBLE", "0.12000000178813934"},
    {"PERCENTILE", "DECIMAL(10,2)|-7.77,2.22;=DOUBLE|0.5", "DOUBLE", "-2.7749999999999995"},
    {"PERCENTILE", "DOUBLE|Infinity,-Infinity;=DOUBLE|0.5", "DOUBLE", "NaN"},
    {"PERCENTILE", "DOUBLE|Infinity,Infinity,1;=DOUBLE|0.75", "DOUBLE", "Infinity"},
    {"PERCENTILE", "DOUBLE|NaN,1,2;=DOUBLE|1", "DOUBLE", "NaN"},
    {"PERCENTILE", "INT|10,20;=DOUBLE|0.3;BIGINT|1,2", "DOUBLE", "16.0"},
    {"PERCENTILE", "INT|10,20,30;=DOUBLE|0.5;BIGINT|0,-3,NULL", "DOUBLE", "<NULL>"},
    {"PERCENTILE", "INT|1,2;=DOUBLE|0.5;BIGINT|9223372036854775807,9223372036854775807", "DOUBLE",
     "1.0"},
    {"DISTINCT PERCENTILE", "INT|1,1,1,3;=DOUBLE|0.5", "DOUBLE", "2.0"},
    {"PERCENTILE", "INT|NULL;=DOUBLE|0.5", "DOUBLE", "<NULL>"},
    {"PERCENTILE", "INT|1;=DOUBLE|1.5", NULL, "!between [0.0, 1.0]"},
    {"PERCENTILE", "INT|1;=DOUBLE|NULL", NULL, "!between [0.0, 1.0]"},
    {"PERCENTILE", "INT|1;=STRING|x", NULL, "!between [0.0, 1.0]"},
    {"PERCENTILE", "INT|1;DOUBLE|0.5", NULL, "!the same for all rows"},
    {"PERCENTILE", "INT|1;=DOUBLE|0.5;DOUBLE|2", NULL, "!frequency of PERCENTILE is an integer"},
    {"PERCENTILE", "STRING|a;=DOUBLE|0.5", NULL, "!Cannot apply 'PERCENTILE'"},
};

static void check(const struct aggregate_test *test) {
    struct aggregate_rows rows;
    struct aggregate_options options = {false, ORIEL_AGGREGATE_NULLS_DEFAULT};
    struct oriel_aggregate_call call;
    struct oriel_error error = {.status = ORIEL_OK};
    char type[64] = "";
    const char *name = test->name;
    for (const char *blank; (blank = strchr(name, ' ')); name = blank + 1) {
        if (*name == 'D')
            options.distinct = true;
        else
            options.nulls =
                *name == 'I' ? ORIEL_AGGREGATE_NULLS_IGNORED : ORIEL_AGGREGATE_NULLS_KEPT;
    }
    aggregate_rows_of_text(&bench, test->arguments, &rows);
    enum oriel_status status = aggregate_bind(&bench, name, &rows, options, &call, &error);
    if (status == ORIEL_OK) {
        oriel_type_print(&call.result, false, type, sizeof type);
        status = aggregate_at_once(&bench, &call, &rows, answer, &error);
    }
    const bool good = test->result[0] == '!'
                          ? status != ORIEL_OK && strstr(error.message, test->result + 1)
                          : status == ORIEL_OK && strcmp(answer, test->result) == 0;
    if (!good || (test->type && strcmp(type, test->type) != 0))
        fail_msg("%s(%s): %s [%s] %s, expected [%s]", test->name, test->arguments, type,
                 status == ORIEL_OK ? answer : "", error.message, test->result);
}

static void check_list(const struct aggregate_test *tests, size_t count) {
    call_bench_open(&bench, "UTC");
    for (size_t i = 0; i < count; i++)
        check(&tests[i]);
    call_bench_close(&bench);
}

static void test_variances(void **state) {
    (void)state;
    check_list(variances, sizeof variances / sizeof variances[0]);
}

static void test_ordered(void **state) {
    (void)state;
    check_list(ordered, sizeof ordered / sizeof ordered[0]);
}

static void test_json(void **state) {
    (void)state;
    check_list(json, sizeof json / sizeof json[0]);
}

static void test_percentiles(void **state) {
    (void)state;
    check_list(percentiles, sizeof percentiles / sizeof percentiles[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variances),
        cmocka_unit_test(test_ordered),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_percentiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
