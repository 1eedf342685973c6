/*
 * Functions of arrays and maps: values and types that Flink gives. Arguments stand one after
 * another, parted by semicolons: [1,NULL] and ['a'] are arrays, {a=1} is a map, 'x' a text, NULL a
 * null INT.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/functions/call_case.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { PARTS_MAX = 16 };

static enum oriel_status call(struct call_bench *bench, const char *name, uint32_t count,
                              struct oriel_expression **parts, struct oriel_expression **out,
                              struct oriel_error *error) {
    return oriel_expression_call(&bench->runtime, &bench->arena, name,
                                 (struct oriel_position){1, 1}, parts, count, NULL, out, error);
}

static struct oriel_expression *scalar(struct call_bench *bench, char *text) {
    const size_t length = strlen(text);
    if (text[0] == '\'') {
        text[length - 1] = '\0';
        return constant_of_text(bench, "STRING", text + 1);
    }
    if (strcmp(text, "TRUE") == 0 || strcmp(text, "FALSE") == 0)
        return constant_of_text(bench, "BOOLEAN", text);
    return constant_of_text(bench, strchr(text, '.') ? "DECIMAL(3,1)" : "INT", text);
}

static struct oriel_expression *argument(struct call_bench *bench, const char *from,
                                         size_t length) {
    char *text = oriel_arena_copy(&bench->arena, from, length);
    struct oriel_expression *parts[PARTS_MAX], *out = NULL;
    struct oriel_error error = {.status = ORIEL_OK};
    uint32_t count = 0;
    if (text[0] != '[' && text[0] != '{')
        return scalar(bench, text);
    const bool map = text[0] == '{';
    text[length - 1] = '\0';
    char *rest = NULL;
    for (char *part = strtok_r(text + 1, map ? ",=" : ",", &rest); part;
         part = strtok_r(NULL, map ? ",=" : ",", &rest)) {
        const bool key = map && count % 2 == 0;
        parts[count] = key ? constant_of_text(bench, "STRING", part) : scalar(bench, part);
        count++;
    }
    assert_int_equal(call(bench, map ? "MAP" : "ARRAY", count, parts, &out, &error), ORIEL_OK);
    return out;
}

static void check(struct call_bench *bench, const struct call_case *test) {
    struct oriel_expression *arguments[PARTS_MAX], *out = NULL;
    struct oriel_error error = {.status = ORIEL_OK};
    uint32_t count = 0;
    for (const char *at = test->arguments; *at;) {
        const size_t length = strcspn(at, ";");
        arguments[count++] = argument(bench, at, length);
        at += length + (at[length] == ';');
    }
    char type[160] = "", got[400] = "";
    struct oriel_evaluator *evaluator = NULL;
    const struct oriel_column *column;
    const struct oriel_batch batch = {.row_count = 1};
    if (call(bench, test->name, count, arguments, &out, &error) == ORIEL_OK &&
        oriel_evaluator_open(&bench->runtime, &out, 1, &evaluator, &error) == ORIEL_OK) {
        oriel_type_print(&out->type, true, type, sizeof type);
        if (oriel_evaluator_run(evaluator, &batch, &column, &error) == ORIEL_OK) {
            struct oriel_text_buffer text;
            oriel_text_buffer_init(&text, &bench->memory);
            assert_int_equal(oriel_value_print(&text, &column[0], 0, bench->zone), ORIEL_OK);
            memcpy(got, text.bytes, text.length);
            oriel_text_buffer_deinit(&text);
        }
        oriel_evaluator_close(&evaluator);
    }
    const bool fails = test->result[0] == '!';
    if (fails ? !strstr(error.message, test->result + 1) : strcmp(got, test->result) != 0)
        fail_msg("%s(%s): got [%s] %s, expected [%s]", test->name, test->arguments, got,
                 error.message, test->result);
    if (test->type && strcmp(type, test->type) != 0)
        fail_msg("%s(%s) has type %s, expected %s", test->name, test->arguments, type, test->type);
}

static void check_all(const struct call_case *cases, size_t count) {
    struct call_bench bench;
    call_bench_open(&bench, "UTC");
    for (size_t i = 0; i < count; i++)
        check(&bench, &cases[i]);
    call_bench_close(&bench);
}

static void test_edits(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"ARRAY_DISTINCT", "[3,1,3,NULL,1,NULL]", NULL, "[3, 1, NULL]"},
        {"ARRAY_DISTINCT", "['a','b','a']", NULL, "[a, b]"},
        {"ARRAY_DISTINCT", "5", NULL, "!Cannot apply 'ARRAY_DISTINCT'"},
        {"ARRAY_REMOVE", "[3,1,NULL,1];1", NULL, "[3, NULL]"},
        {"ARRAY_REMOVE", "[3,1,NULL,1];NULL", NULL, "[3, 1, 1]"},
        {"ARRAY_REVERSE", "[3,1,NULL]", NULL, "[NULL, 1, 3]"},
        {"ARRAY_SLICE", "[1,2,3,4,5];2;4", NULL, "[2, 3, 4]"},
        {"ARRAY_SLICE", "[1,2,3,4,5];-2", NULL, "[4, 5]"},
        {"ARRAY_SLICE", "[1,2,3,4,5];-3;-2", NULL, "[3, 4]"},
        {"ARRAY_SLICE", "[1,2,3,4,5];0;2", NULL, "[1, 2]"},
        {"ARRAY_SLICE", "[1,2,3,4,5];4;2", NULL, "[]"},
        {"ARRAY_SLICE", "[1,2,3,4,5];7;99", NULL, "[]"},
        {"ARRAY_SLICE", "[1,2,3,4,5];-99;2", NULL, "[1, 2]"},
        {"ARRAY_SLICE", "[1,2,3,4,5];-99;-98", NULL, "[]"},
        {"ARRAY_SLICE", "[1,2,3,4,5];1;0", NULL, "[1]"},
        {"ARRAY_SLICE", "[1,2,3];NULL;2", NULL, "<NULL>"},
        {"ARRAY_SORT", "[3,NULL,1,2]", NULL, "[NULL, 1, 2, 3]"},
        {"ARRAY_SORT", "[3,NULL,1,2];FALSE", NULL, "[3, 2, 1, NULL]"},
        {"ARRAY_SORT", "[3,NULL,1,2];TRUE;FALSE", NULL, "[1, 2, 3, NULL]"},
        {"ARRAY_SORT", "[3,NULL,1,2];FALSE;TRUE", NULL, "[NULL, 3, 2, 1]"},
        {"ARRAY_UNION", "[1,2,2,NULL];[2,3,NULL]", NULL, "[1, 2, NULL, 3]"},
        {"ARRAY_UNION", "[1,2];[1.5]", NULL, "[1.0, 2.0, 1.5]"},
        {"ARRAY_EXCEPT", "[1,2,2,NULL,3,3];[2]", NULL, "[1, NULL, 3]"},
        {"ARRAY_EXCEPT", "[1,NULL];[1,NULL]", NULL, "[]"},
        {"ARRAY_INTERSECT", "[1,2,2,NULL,3];[2,NULL,2,3]", NULL, "[2, NULL, 3]"},
        {"ARRAY_INTERSECT", "[1];['a']", NULL, "!arrays whose elements have one type"},
        {"ARRAY_CONCAT", "[1];[2,NULL];[1]", NULL, "[1, 2, NULL, 1]"},
        {"ARRAY_APPEND", "[1];2", NULL, "[1, 2]"},
        {"ARRAY_APPEND", "[1];NULL", NULL, "[1, NULL]"},
        {"ARRAY_APPEND", "[1];2.5", NULL, "!Cannot apply 'ARRAY_APPEND'"},
        {"ARRAY_PREPEND", "[1];2", NULL, "[2, 1]"},
    };
    check_all(cases, COUNT(cases));
}

static void test_searches(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"ARRAY_POSITION", "[3,1,NULL,1];1", "INT NOT NULL", "2"},
        {"ARRAY_POSITION", "[3,1,NULL,1];9", NULL, "0"},
        {"ARRAY_POSITION", "[3,1,NULL,1];NULL", "INT", "<NULL>"},
        {"ARRAY_POSITION", "[1.5,2.5];2", NULL, "0"},
        {"ARRAY_POSITION", "[1,2];'b'", NULL, "!Cannot apply 'ARRAY_POSITION'"},
        {"ARRAY_CONTAINS", "[1,NULL];NULL", "BOOLEAN NOT NULL", "TRUE"},
        {"ARRAY_CONTAINS", "[1,2];NULL", NULL, "FALSE"},
        {"ARRAY_MAX", "[1,3,NULL,2]", "INT", "3"},
        {"ARRAY_MIN", "[1,3,NULL,2]", "INT", "1"},
        {"ARRAY_MAX", "[NULL]", NULL, "<NULL>"},
        {"ARRAY_JOIN", "['a','b'];'-'", "STRING NOT NULL", "a-b"},
        {"ARRAY_JOIN", "[1,2];'-'", NULL, "!Cannot apply 'ARRAY_JOIN'"},
        {"ELEMENT", "[5]", "INT NOT NULL", "5"},
        {"ELEMENT", "[1,2]", NULL, "!Array has more than one element"},
    };
    check_all(cases, COUNT(cases));
}

static void test_maps(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"MAP_KEYS", "{a=1,b=2}", NULL, "[a, b]"},
        {"MAP_KEYS", "{a=1,a=2}", NULL, "[a]"},
        {"MAP_VALUES", "{a=1,a=2}", NULL, "[2]"},
        {"MAP_VALUES", "{a=1,b=2}", "ARRAY<INT NOT NULL> NOT NULL", "[1, 2]"},
        {"MAP_ENTRIES", "{a=1,b=NULL}", NULL, "[(a, 1), (b, NULL)]"},
        {"MAP_FROM_ARRAYS", "['a','b'];[1,NULL]", NULL, "{a=1, b=NULL}"},
        {"MAP_FROM_ARRAYS", "['a','b'];[1]", NULL,
         "!The length of the keys array 2 is not equal to the length of the values array 1"},
        {"MAP_UNION", "{a=1,b=2};{b=3,c=4}", NULL, "{a=1, b=3, c=4}"},
        {"MAP_UNION", "{a=1};[1]", NULL, "!maps of one type"},
        {"MAP_KEYS", "[1]", NULL, "!Cannot apply 'MAP_KEYS'"},
    };
    check_all(cases, COUNT(cases));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edits),
        cmocka_unit_test(test_searches),
        cmocka_unit_test(test_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
