/*
 * The order of values, and deep copies.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/columns/value.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct oriel_column make_column(enum oriel_type_id id, void *values, uint64_t *valid) {
    return (struct oriel_column){.type = oriel_type_make(id), .values = values, .valid = valid};
}

/* Row i of the column is before row j exactly if ranks[i] < ranks[j]. */
static void check_order(const struct oriel_column *column, const int *ranks, size_t count) {
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            const int order = oriel_column_compare(column, i, column, j);
            if ((order > 0) - (order < 0) != (ranks[i] > ranks[j]) - (ranks[i] < ranks[j]))
                fail_msg("rows %zu and %zu compare as %d", i, j, order);
        }
    }
}

static void orders_numbers(void **state) {
    (void)state;
    uint64_t valid[] = {~UINT64_C(1)};
    int8_t tiny[] = {99, INT8_MIN, -1, 0, INT8_MAX};
    int16_t small[] = {99, INT16_MIN, -1, 0, INT16_MAX};
    int32_t medium[] = {99, INT32_MIN, -1, 0, INT32_MAX};
    int64_t large[] = {99, INT64_MIN, -1, 0, INT64_MAX};
    oriel_i128 huge[] = {99, -((oriel_i128)1 << 100), -1, 0, (oriel_i128)1 << 100};
    static const int ranks[] = {0, 1, 2, 3, 4};
    const struct oriel_column columns[] = {
        make_column(ORIEL_TYPE_TINYINT, tiny, valid),
        make_column(ORIEL_TYPE_SMALLINT, small, valid),
        make_column(ORIEL_TYPE_DATE, medium, valid),
        make_column(ORIEL_TYPE_BIGINT, large, valid),
        make_column(ORIEL_TYPE_DECIMAL, huge, valid),
    };
    for (size_t i = 0; i < COUNT(columns); i++)
        check_order(&columns[i], ranks, COUNT(ranks));
}

static void orders_floats(void **state) {
    (void)state;
    uint64_t valid[] = {~UINT64_C(1)};
    const double nan = (double)NAN, infinity = (double)INFINITY;
    double doubles[] = {1, -infinity, -1, -0.0, 0.0, 5e-324, infinity, nan, -nan};
    float floats[] = {1, -INFINITY, -1, -0.0F, 0.0F, 1e-45F, INFINITY, NAN, -NAN};
    static const int ranks[] = {0, 1, 2, 3, 3, 4, 5, 6, 6};
    const struct oriel_column a = make_column(ORIEL_TYPE_DOUBLE, doubles, valid);
    const struct oriel_column b = make_column(ORIEL_TYPE_FLOAT, floats, valid);
    check_order(&a, ranks, COUNT(ranks));
    check_order(&b, ranks, COUNT(ranks));
}

static void orders_strings(void **state) {
    (void)state;
    static const char *const texts[] = {"ignored",
                                        "",
                                        "\x01",
                                        "A",
                                        "a",
                                        "ab",
                                        "abcdefghijkl",
                                        "abcdefghijklm",
                                        "abcdefghijklma",
                                        "abcdefghijkm",
                                        "b",
                                        "\xEF\xBD\x81",
                                        "\xF0\x9F\x98\x80"};
    struct oriel_string strings[COUNT(texts)];
    uint64_t valid[] = {~UINT64_C(1)};
    int ranks[COUNT(texts)];
    for (size_t i = 0; i < COUNT(texts); i++) {
        strings[i] = oriel_string_make(texts[i], strlen(texts[i]));
        ranks[i] = (int)i;
    }
    const struct oriel_column column = make_column(ORIEL_TYPE_VARCHAR, strings, valid);
    check_order(&column, ranks, COUNT(ranks));
}

static void orders_arrays(void **state) {
    (void)state;
    const struct oriel_field element[] = {{NULL, oriel_type_make(ORIEL_TYPE_INT)}};
    oriel_u128 slots[5][3] = {{0}, {0}, {1, 0}, {1, 2}, {1, 2, 0}};
    static const uint64_t second_null = 1;
    const struct oriel_nested values[] = {{0, NULL, slots[0]},
                                          {1, NULL, slots[1]},
                                          {2, &second_null, slots[2]},
                                          {2, NULL, slots[3]},
                                          {3, NULL, slots[4]}};
    const struct oriel_nested *pointers[COUNT(values)];
    static const int ranks[] = {0, 1, 2, 3, 4};
    for (size_t i = 0; i < COUNT(values); i++)
        pointers[i] = &values[i];
    struct oriel_column column = make_column(ORIEL_TYPE_ARRAY, pointers, NULL);
    column.type.field_count = 1;
    column.type.fields = element;
    check_order(&column, ranks, COUNT(ranks));
}

/* A map from a string to a row of a long string and a NULL. */
struct fixture {
    struct oriel_field row_fields[2], map_fields[2];
    struct oriel_type type;
    oriel_u128 row_slots[2], map_slots[2];
    uint64_t row_valid;
    struct oriel_nested row, map;
    char bytes[32];
};

static void make_fixture(struct fixture *fixture) {
    memset(fixture, 0, sizeof *fixture);
    static const char text_bytes[] = "a string that is not short";
    memcpy(fixture->bytes, text_bytes, sizeof text_bytes);
    fixture->row_fields[0] = (struct oriel_field){"s", oriel_type_string()};
    fixture->row_fields[1] = (struct oriel_field){"i", oriel_type_make(ORIEL_TYPE_INT)};
    fixture->map_fields[0] = (struct oriel_field){NULL, oriel_type_string()};
    fixture->map_fields[1] = (struct oriel_field){NULL, oriel_type_make(ORIEL_TYPE_ROW)};
    fixture->map_fields[1].type.field_count = 2;
    fixture->map_fields[1].type.fields = fixture->row_fields;
    fixture->type = oriel_type_make(ORIEL_TYPE_MAP);
    fixture->type.field_count = 2;
    fixture->type.fields = fixture->map_fields;
    const struct oriel_string text = oriel_string_make(fixture->bytes, strlen(fixture->bytes));
    memcpy(&fixture->row_slots[0], &text, sizeof text);
    fixture->row_valid = 1;
    fixture->row = (struct oriel_nested){2, &fixture->row_valid, fixture->row_slots};
    const struct oriel_nested *row = &fixture->row;
    memcpy(&fixture->map_slots[0], &text, sizeof text);
    memcpy(&fixture->map_slots[1], &row, sizeof row);
    fixture->map = (struct oriel_nested){1, NULL, fixture->map_slots};
}

static void copies_all(void **state) {
    (void)state;
    struct fixture original, changed;
    struct oriel_memory memory = {0};
    struct oriel_arena arena;
    oriel_arena_init(&arena, &memory);
    make_fixture(&original);
    make_fixture(&changed);
    const struct oriel_nested *from = &changed.map, *expected = &original.map, *copy = NULL;
    assert_true(oriel_value_copy(&arena, &original.type, &from, &copy));
    memset(changed.bytes, 'x', sizeof changed.bytes);
    changed.row_valid = 0;
    changed.row_slots[0] = 0;
    changed.map_slots[1] = 0;
    assert_int_equal(oriel_value_compare(&original.type, &copy, &expected), 0);
    oriel_arena_deinit(&arena);
    assert_int_equal(memory.used_bytes, 0);
}

static void reports_memory(void **state) {
    (void)state;
    struct fixture fixture;
    make_fixture(&fixture);
    const struct oriel_nested *from = &fixture.map, *copy = NULL;
    struct oriel_memory memory = {.limit_bytes = 1};
    struct oriel_arena arena;
    oriel_arena_init(&arena, &memory);
    assert_false(oriel_value_copy(&arena, &fixture.type, &from, &copy));
    const struct oriel_string text = oriel_string_make(fixture.bytes, strlen(fixture.bytes));
    const struct oriel_type string = oriel_type_string();
    struct oriel_string out;
    assert_false(oriel_value_copy(&arena, &string, &text, &out));
    oriel_arena_deinit(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_numbers), cmocka_unit_test(orders_floats),
        cmocka_unit_test(orders_strings), cmocka_unit_test(orders_arrays),
        cmocka_unit_test(copies_all),     cmocka_unit_test(reports_memory),
    };
    return cmocka_run_group_tests_name("value", tests, NULL, NULL);
}
