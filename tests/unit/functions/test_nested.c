/*
 * ARRAY, MAP and ROW: building, items, casts part by part.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/functions/call_case.h"

static struct oriel_expression *call(struct call_bench *bench, const char *name, uint32_t count,
                                     struct oriel_expression **parts) {
    struct oriel_error error = {.status = ORIEL_OK};
    struct oriel_expression *out = NULL;
    if (oriel_expression_call(&bench->runtime, &bench->arena, name, (struct oriel_position){1, 1},
                              parts, count, NULL, &out, &error) != ORIEL_OK)
        fail_msg("%s: %s", name, error.message);
    return out;
}

static struct oriel_expression *number(struct call_bench *bench, const char *text) {
    return constant_of_text(bench, "INT", text);
}

static struct oriel_expression *text(struct call_bench *bench, const char *value) {
    return constant_of_text(bench, "STRING", value);
}

static struct oriel_type nested_type(struct call_bench *bench, enum oriel_type_id id,
                                     uint32_t count, const char *const *parts) {
    struct oriel_field *fields = oriel_arena_allocate_zeroed(&bench->arena, count, sizeof *fields);
    for (uint32_t i = 0; i < count; i++)
        fields[i] = (struct oriel_field){"f", type_of_text(parts[i])};
    struct oriel_type type = oriel_type_make(id);
    type.field_count = count;
    type.fields = fields;
    return type;
}

static void expect(struct call_bench *bench, struct oriel_expression *expression,
                   const char *wanted) {
    struct oriel_text_buffer buffer;
    assert_int_equal(expression->kind, ORIEL_EXPRESSION_CONSTANT);
    oriel_text_buffer_init(&buffer, &bench->memory);
    assert_int_equal(oriel_value_print(&buffer, &expression->constant, 0, bench->zone), ORIEL_OK);
    if (buffer.length != strlen(wanted) || memcmp(buffer.bytes, wanted, buffer.length) != 0)
        fail_msg("got %.*s, expected %s", (int)buffer.length, buffer.bytes, wanted);
    oriel_text_buffer_deinit(&buffer);
}

static struct oriel_expression *cast(struct call_bench *bench, struct oriel_expression *from,
                                     struct oriel_type type, const char *name) {
    struct oriel_error error = {.status = ORIEL_OK};
    struct oriel_expression *out = NULL;
    if (oriel_expression_call(&bench->runtime, &bench->arena, name, (struct oriel_position){1, 1},
                              &from, 1, &type, &out, &error) != ORIEL_OK)
        fail_msg("%s", error.message);
    return out;
}

static void test_building_and_items(void **state) {
    (void)state;
    struct call_bench bench;
    call_bench_open(&bench, "UTC");
    struct oriel_expression *elements[] = {number(&bench, "1"), number(&bench, "NULL"),
                                           constant_of_text(&bench, "DECIMAL(2,1)", "2.5")};
    struct oriel_expression *array = call(&bench, "ARRAY", 3, elements);
    expect(&bench, array, "[1.0, NULL, 2.5]");
    struct oriel_expression *item[] = {array, number(&bench, "3")};
    expect(&bench, call(&bench, "[]", 2, item), "2.5");
    item[1] = number(&bench, "2");
    expect(&bench, call(&bench, "[]", 2, item), "<NULL>");
    item[1] = number(&bench, "4");
    expect(&bench, call(&bench, "[]", 2, item), "<NULL>");
    item[1] = number(&bench, "1");
    expect(&bench, call(&bench, "ARRAY_CONTAINS", 2, item), "TRUE");
    expect(&bench, call(&bench, "CARDINALITY", 1, &array), "3");
    struct oriel_expression *pairs[] = {text(&bench, "a key longer than twelve"),
                                        number(&bench, "1"), text(&bench, "b"),
                                        number(&bench, "2")};
    struct oriel_expression *map = call(&bench, "MAP", 4, pairs);
    expect(&bench, map, "{a key longer than twelve=1, b=2}");
    struct oriel_expression *lookup[] = {map, text(&bench, "b")};
    expect(&bench, call(&bench, "[]", 2, lookup), "2");
    lookup[1] = text(&bench, "c");
    expect(&bench, call(&bench, "[]", 2, lookup), "<NULL>");
    struct oriel_expression *fields[] = {number(&bench, "1"), text(&bench, "x")};
    struct oriel_expression *rows[] = {call(&bench, "ROW", 2, fields),
                                       call(&bench, "ROW", 2, fields)};
    expect(&bench, rows[0], "(1, x)");
    expect(&bench, call(&bench, "=", 2, rows), "TRUE");
    call_bench_close(&bench);
}

static void test_casts(void **state) {
    (void)state;
    struct call_bench bench;
    call_bench_open(&bench, "UTC");
    struct oriel_expression *elements[] = {text(&bench, "17"), text(&bench, "NULL"),
                                           text(&bench, "x")};
    struct oriel_expression *two = call(&bench, "ARRAY", 2, elements);
    const char *const integer[] = {"INT"}, *const string[] = {"STRING"};
    const struct oriel_type integers = nested_type(&bench, ORIEL_TYPE_ARRAY, 1, integer);
    expect(&bench, cast(&bench, two, integers, "CAST"), "[17, NULL]");
    struct oriel_expression *three = call(&bench, "ARRAY", 3, elements);
    expect(&bench, cast(&bench, three, integers, "TRY_CAST"), "[17, NULL, NULL]");
    struct oriel_error error = {.status = ORIEL_OK};
    struct oriel_expression *out;
    assert_int_equal(oriel_expression_call(&bench.runtime, &bench.arena, "CAST",
                                           (struct oriel_position){1, 1}, &three, 1, &integers,
                                           &out, &error),
                     ORIEL_OK);
    struct oriel_evaluator *evaluator;
    const struct oriel_column *result;
    const struct oriel_batch batch = {.row_count = 1};
    assert_int_equal(oriel_evaluator_open(&bench.runtime, &out, 1, &evaluator, &error), ORIEL_OK);
    assert_int_equal(oriel_evaluator_run(evaluator, &batch, &result, &error), ORIEL_RUNTIME);
    oriel_evaluator_close(&evaluator);
    assert_non_null(strstr(error.message, "For input string: 'x'"));
    struct oriel_expression *pairs[] = {text(&bench, "1"), number(&bench, "2"), text(&bench, "3"),
                                        number(&bench, "NULL")};
    const char *const turned[] = {"INT", "STRING"};
    expect(&bench,
           cast(&bench, call(&bench, "MAP", 4, pairs),
                nested_type(&bench, ORIEL_TYPE_MAP, 2, turned), "CAST"),
           "{1=2, 3=NULL}");
    struct oriel_expression *fields[] = {number(&bench, "12"), text(&bench, "34")};
    const char *const swapped[] = {"STRING", "DECIMAL(5,2)"};
    expect(&bench,
           cast(&bench, call(&bench, "ROW", 2, fields),
                nested_type(&bench, ORIEL_TYPE_ROW, 2, swapped), "CAST"),
           "(12, 34.00)");
    assert_int_equal(oriel_expression_call(
                         &bench.runtime, &bench.arena, "CAST", (struct oriel_position){1, 1},
                         &fields[0], 1, &(struct oriel_type){.id = ORIEL_TYPE_ARRAY}, &out, &error),
                     ORIEL_INVALID);
    const struct oriel_type strings = nested_type(&bench, ORIEL_TYPE_ARRAY, 1, string);
    struct oriel_type met;
    assert_false(oriel_type_unify(&integers, &strings, &met));
    assert_false(oriel_type_unify_nested(&bench.arena, &integers, &strings, &met));
    call_bench_close(&bench);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_building_and_items),
        cmocka_unit_test(test_casts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
