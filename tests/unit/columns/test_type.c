/*
 * Types: how Flink prints them, their layout, and which are the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/columns/type.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct oriel_type with_length(enum oriel_type_id id, int32_t length) {
    struct oriel_type type = oriel_type_make(id);
    type.length = length;
    return type;
}

static void check_text(struct oriel_type type, const char *expected) {
    char text[256];
    assert_string_equal(oriel_type_print(&type, true, text, sizeof text), expected);
}

static void prints_plain_types(void **state) {
    (void)state;
    check_text(oriel_type_make(ORIEL_TYPE_NULL), "NULL");
    check_text(oriel_type_make(ORIEL_TYPE_BOOLEAN), "BOOLEAN");
    check_text(oriel_type_make(ORIEL_TYPE_TINYINT), "TINYINT");
    check_text(oriel_type_make(ORIEL_TYPE_SMALLINT), "SMALLINT");
    check_text(oriel_type_make(ORIEL_TYPE_INT), "INT");
    check_text(oriel_type_make(ORIEL_TYPE_BIGINT), "BIGINT");
    check_text(oriel_type_make(ORIEL_TYPE_FLOAT), "FLOAT");
    check_text(oriel_type_make(ORIEL_TYPE_DOUBLE), "DOUBLE");
    check_text(oriel_type_make(ORIEL_TYPE_DECIMAL), "DECIMAL(10, 0)");
    check_text(oriel_type_decimal(38, 18), "DECIMAL(38, 18)");
    check_text(with_length(ORIEL_TYPE_CHAR, 5), "CHAR(5)");
    check_text(with_length(ORIEL_TYPE_VARCHAR, 2000), "VARCHAR(2000)");
    check_text(oriel_type_string(), "STRING");
    check_text(with_length(ORIEL_TYPE_BINARY, 2), "BINARY(2)");
    check_text(with_length(ORIEL_TYPE_VARBINARY, 9), "VARBINARY(9)");
    check_text(oriel_type_make(ORIEL_TYPE_VARBINARY), "BYTES");
    check_text(oriel_type_make(ORIEL_TYPE_DATE), "DATE");
    check_text(oriel_type_make(ORIEL_TYPE_TIME), "TIME(0)");
    check_text(oriel_type_timestamp(3), "TIMESTAMP(3)");
    check_text(oriel_type_make(ORIEL_TYPE_TIMESTAMP), "TIMESTAMP(6)");
    check_text(oriel_type_timestamp_ltz(9), "TIMESTAMP_LTZ(9)");
    check_text(oriel_type_make(ORIEL_TYPE_INTERVAL_DAY), "INTERVAL SECOND(3)");
    check_text(oriel_type_make(ORIEL_TYPE_INTERVAL_YEAR), "INTERVAL MONTH");
}

static void prints_attributes(void **state) {
    (void)state;
    char text[64];
    struct oriel_type type = oriel_type_timestamp_ltz(3);
    type.rowtime = true;
    check_text(type, "TIMESTAMP_LTZ(3) *ROWTIME*");
    type = oriel_type_with_null(type, false);
    check_text(type, "TIMESTAMP_LTZ(3) NOT NULL *ROWTIME*");
    oriel_type_print(&type, false, text, sizeof text);
    assert_string_equal(text, "TIMESTAMP_LTZ(3) *ROWTIME*");
}

static void prints_nested_types(void **state) {
    (void)state;
    const struct oriel_field element[] = {{NULL, oriel_type_make(ORIEL_TYPE_INT)}};
    struct oriel_type array = oriel_type_make(ORIEL_TYPE_ARRAY);
    array.field_count = 1;
    array.fields = element;
    check_text(array, "ARRAY<INT>");
    const struct oriel_field pair[] = {
        {NULL, oriel_type_with_null(with_length(ORIEL_TYPE_CHAR, 1), false)}, {NULL, array}};
    struct oriel_type map = oriel_type_with_null(oriel_type_make(ORIEL_TYPE_MAP), false);
    map.field_count = 2;
    map.fields = pair;
    check_text(map, "MAP<CHAR(1) NOT NULL, ARRAY<INT>> NOT NULL");
    map.multiset = true;
    check_text(map, "MULTISET<CHAR(1) NOT NULL> NOT NULL");
    const struct oriel_field fields[] = {
        {"EXPR$0", oriel_type_with_null(oriel_type_make(ORIEL_TYPE_INT), false)},
        {"a`b", oriel_type_string()}};
    struct oriel_type row = oriel_type_make(ORIEL_TYPE_ROW);
    row.field_count = 2;
    row.fields = fields;
    check_text(row, "ROW<`EXPR$0` INT NOT NULL, `a``b` STRING>");
    char text[64];
    oriel_type_print(&map, false, text, sizeof text);
    assert_string_equal(text, "MULTISET<CHAR(1) NOT NULL>");
}

static void cuts_at_capacity(void **state) {
    (void)state;
    const struct oriel_type type = oriel_type_timestamp_ltz(3);
    for (size_t capacity = 1; capacity < 30; capacity++) {
        char text[32];
        memset(text, 'x', sizeof text);
        oriel_type_print(&type, true, text, capacity);
        const size_t length = capacity <= 16 ? capacity - 1 : 16;
        assert_int_equal(strlen(text), length);
        assert_memory_equal(text, "TIMESTAMP_LTZ(3)", length);
        assert_int_equal(text[capacity], 'x');
    }
}

static void lies_as_documented(void **state) {
    (void)state;
    const struct {
        struct oriel_type type;
        enum oriel_physical physical;
        size_t size_bytes;
    } cases[] = {
        {oriel_type_make(ORIEL_TYPE_BOOLEAN), ORIEL_PHYSICAL_I8, 1},
        {oriel_type_make(ORIEL_TYPE_SMALLINT), ORIEL_PHYSICAL_I16, 2},
        {oriel_type_make(ORIEL_TYPE_TIME), ORIEL_PHYSICAL_I32, 4},
        {oriel_type_make(ORIEL_TYPE_INTERVAL_YEAR), ORIEL_PHYSICAL_I32, 4},
        {oriel_type_make(ORIEL_TYPE_INTERVAL_DAY), ORIEL_PHYSICAL_I64, 8},
        {oriel_type_timestamp(3), ORIEL_PHYSICAL_I64, 8},
        {oriel_type_timestamp(4), ORIEL_PHYSICAL_I128, 16},
        {oriel_type_timestamp_ltz(0), ORIEL_PHYSICAL_I64, 8},
        {oriel_type_timestamp_ltz(9), ORIEL_PHYSICAL_I128, 16},
        {oriel_type_decimal(5, 2), ORIEL_PHYSICAL_I128, 16},
        {oriel_type_make(ORIEL_TYPE_FLOAT), ORIEL_PHYSICAL_F32, 4},
        {oriel_type_make(ORIEL_TYPE_DOUBLE), ORIEL_PHYSICAL_F64, 8},
        {oriel_type_make(ORIEL_TYPE_BINARY), ORIEL_PHYSICAL_STRING, 16},
        {oriel_type_make(ORIEL_TYPE_MAP), ORIEL_PHYSICAL_NESTED, sizeof(void *)},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(oriel_type_physical(&cases[i].type), cases[i].physical);
        assert_int_equal(oriel_physical_size(cases[i].physical), cases[i].size_bytes);
    }
}

static void compares_types(void **state) {
    (void)state;
    const struct oriel_type a = oriel_type_decimal(10, 2), b = oriel_type_decimal(10, 3);
    const struct oriel_type c = oriel_type_with_null(a, false);
    assert_false(oriel_type_same(&a, &b));
    assert_true(oriel_type_same(&a, &c));
    struct oriel_type d = oriel_type_timestamp(3), e = oriel_type_timestamp(3);
    d.rowtime = true;
    assert_true(oriel_type_same(&d, &e));
    e.precision = 6;
    assert_false(oriel_type_same(&d, &e));
    const struct oriel_field one[] = {{"x", a}}, other[] = {{"y", b}}, renamed[] = {{"z", c}};
    struct oriel_type rows[3];
    const struct oriel_field *fields[] = {one, other, renamed};
    for (size_t i = 0; i < COUNT(rows); i++) {
        rows[i] = oriel_type_make(ORIEL_TYPE_ROW);
        rows[i].field_count = 1;
        rows[i].fields = fields[i];
    }
    assert_false(oriel_type_same(&rows[0], &rows[1]));
    assert_true(oriel_type_same(&rows[0], &rows[2]));
}

static void groups_types(void **state) {
    (void)state;
    for (int id = ORIEL_TYPE_NULL; id <= ORIEL_TYPE_ROW; id++) {
        const struct oriel_type type = oriel_type_make((enum oriel_type_id)id);
        assert_int_equal(oriel_type_is_integer(&type),
                         id == ORIEL_TYPE_TINYINT || id == ORIEL_TYPE_SMALLINT ||
                             id == ORIEL_TYPE_INT || id == ORIEL_TYPE_BIGINT);
        assert_int_equal(oriel_type_is_numeric(&type),
                         oriel_type_is_integer(&type) || id == ORIEL_TYPE_FLOAT ||
                             id == ORIEL_TYPE_DOUBLE || id == ORIEL_TYPE_DECIMAL);
        assert_int_equal(oriel_type_is_character(&type),
                         id == ORIEL_TYPE_CHAR || id == ORIEL_TYPE_VARCHAR);
        assert_int_equal(oriel_type_is_binary(&type),
                         id == ORIEL_TYPE_BINARY || id == ORIEL_TYPE_VARBINARY);
        assert_int_equal(oriel_type_is_timestamp(&type),
                         id == ORIEL_TYPE_TIMESTAMP || id == ORIEL_TYPE_TIMESTAMP_LTZ);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_plain_types),  cmocka_unit_test(prints_attributes),
        cmocka_unit_test(prints_nested_types), cmocka_unit_test(cuts_at_capacity),
        cmocka_unit_test(lies_as_documented),  cmocka_unit_test(compares_types),
        cmocka_unit_test(groups_types),
    };
    return cmocka_run_group_tests_name("type", tests, NULL, NULL);
}
