/*
 * Values as Flink's tableau shows them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/base/zone.h"
#include "engine/columns/value_text.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void check_value(const struct oriel_type type, const void *value,
                        const struct oriel_zone *zone, const char *expected) {
    struct oriel_memory memory = {0};
    struct oriel_text_buffer buffer;
    const struct oriel_column column = {.type = type, .values = (void *)(uintptr_t)value};
    oriel_text_buffer_init(&buffer, &memory);
    assert_int_equal(oriel_text_buffer_append(&buffer, "|", 1), ORIEL_OK);
    assert_int_equal(oriel_value_print(&buffer, &column, 0, zone), ORIEL_OK);
    assert_int_equal(oriel_text_buffer_append(&buffer, "", 1), ORIEL_OK);
    assert_string_equal(buffer.bytes + 1, expected);
    oriel_text_buffer_deinit(&buffer);
    assert_int_equal(memory.used_bytes, 0);
}

#define CHECK(type, c_type, value, expected)                                                       \
    do {                                                                                           \
        const c_type check_object = (value);                                                       \
        check_value((type), &check_object, NULL, (expected));                                      \
    } while (0)

static void prints_numbers(void **state) {
    (void)state;
    CHECK(oriel_type_make(ORIEL_TYPE_BOOLEAN), int8_t, 1, "TRUE");
    CHECK(oriel_type_make(ORIEL_TYPE_BOOLEAN), int8_t, 0, "FALSE");
    CHECK(oriel_type_make(ORIEL_TYPE_TINYINT), int8_t, -128, "-128");
    CHECK(oriel_type_make(ORIEL_TYPE_SMALLINT), int16_t, 32767, "32767");
    CHECK(oriel_type_make(ORIEL_TYPE_INT), int32_t, INT32_MIN, "-2147483648");
    CHECK(oriel_type_make(ORIEL_TYPE_BIGINT), int64_t, INT64_MIN, "-9223372036854775808");
    CHECK(oriel_type_make(ORIEL_TYPE_FLOAT), float, 1e7F, "1.0E7");
    CHECK(oriel_type_make(ORIEL_TYPE_DOUBLE), double, 100, "100.0");
    CHECK(oriel_type_make(ORIEL_TYPE_DOUBLE), double, -0.0, "-0.0");
    CHECK(oriel_type_decimal(10, 2), oriel_i128, -50, "-0.50");
    CHECK(oriel_type_decimal(38, 18), oriel_i128, (oriel_i128)1000000000000000000,
          "1.000000000000000000");
}

static void prints_times(void **state) {
    (void)state;
    struct oriel_type time = oriel_type_make(ORIEL_TYPE_TIME);
    CHECK(oriel_type_make(ORIEL_TYPE_DATE), int32_t, -1, "1969-12-31");
    CHECK(time, int32_t, 3723000, "01:02:03");
    time.precision = 3;
    CHECK(time, int32_t, 45296100, "12:34:56.1");
    CHECK(time, int32_t, 0, "00:00:00.0");
    CHECK(oriel_type_timestamp(0), int64_t, 0, "1970-01-01 00:00:00");
    CHECK(oriel_type_timestamp(3), int64_t, -1, "1969-12-31 23:59:59.999");
    CHECK(oriel_type_timestamp(3), int64_t, INT64_C(253402300800000), "0000-01-01 00:00:00.000");
    CHECK(oriel_type_timestamp(6), oriel_i128, -1000, "1969-12-31 23:59:59.999999");
    CHECK(oriel_type_timestamp(9), oriel_i128, -1, "1969-12-31 23:59:59.999999999");
    CHECK(oriel_type_timestamp(9), oriel_i128, 1000001, "1970-01-01 00:00:00.001000001");
    CHECK(oriel_type_timestamp_ltz(3), int64_t, 5, "1970-01-01 00:00:00.005");
    struct oriel_memory memory = {0};
    struct oriel_zone *zone = NULL;
    assert_int_equal(oriel_zone_open(&memory, "Asia/Seoul", &zone, NULL), ORIEL_OK);
    const int64_t instant_ms = 5;
    const oriel_i128 instant_ns = -1;
    check_value(oriel_type_timestamp_ltz(3), &instant_ms, zone, "1970-01-01 09:00:00.005");
    check_value(oriel_type_timestamp(3), &instant_ms, zone, "1970-01-01 00:00:00.005");
    check_value(oriel_type_timestamp_ltz(9), &instant_ns, zone, "1970-01-01 08:59:59.999999999");
    oriel_zone_close(&zone);
}

static void prints_intervals(void **state) {
    (void)state;
    const struct oriel_type day = oriel_type_make(ORIEL_TYPE_INTERVAL_DAY);
    const struct oriel_type year = oriel_type_make(ORIEL_TYPE_INTERVAL_YEAR);
    CHECK(day, int64_t, 86400000, "+1 00:00:00.000");
    CHECK(day, int64_t, -86400000, "-1 00:00:00.000");
    CHECK(day, int64_t, INT64_C(10641906789), "+123 04:05:06.789");
    CHECK(day, int64_t, -1, "-0 00:00:00.001");
    CHECK(day, int64_t, 0, "+0 00:00:00.000");
    CHECK(day, int64_t, INT64_MIN, "-106751991167 07:12:55.808");
    CHECK(year, int32_t, 14, "+1-02");
    CHECK(year, int32_t, -14, "-1-02");
    CHECK(year, int32_t, -11, "-0-11");
    CHECK(year, int32_t, 1487, "+123-11");
    CHECK(year, int32_t, INT32_MIN, "-178956970-08");
}

static struct oriel_string text(const char *bytes) {
    return oriel_string_make(bytes, strlen(bytes));
}

static void prints_strings(void **state) {
    (void)state;
    CHECK(oriel_type_string(), struct oriel_string, text(""), "");
    CHECK(oriel_type_string(), struct oriel_string, text("abcdefghijkl"), "abcdefghijkl");
    CHECK(oriel_type_string(), struct oriel_string, text("a longer string, not quoted"),
          "a longer string, not quoted");
    CHECK(oriel_type_make(ORIEL_TYPE_BINARY), struct oriel_string, text("\n\xFF"), "x'0aff'");
    CHECK(oriel_type_make(ORIEL_TYPE_VARBINARY), struct oriel_string, text(""), "x''");
    CHECK(oriel_type_make(ORIEL_TYPE_VARBINARY), struct oriel_string, text("0123456789abcdef"),
          "x'30313233343536373839616263646566'");
}

static struct oriel_type nested(enum oriel_type_id id, const struct oriel_field *fields,
                                uint32_t count) {
    struct oriel_type type = oriel_type_make(id);
    type.fields = fields;
    type.field_count = count;
    return type;
}

static oriel_u128 slot(const void *value, size_t size_bytes) {
    oriel_u128 out = 0;
    memcpy(&out, value, size_bytes);
    return out;
}

static void prints_nested_values(void **state) {
    (void)state;
    static const uint64_t two_of_three = 3, first = 1;
    const struct oriel_field element[] = {{NULL, oriel_type_make(ORIEL_TYPE_INT)}};
    const oriel_u128 numbers[] = {1, 2, 0};
    const struct oriel_nested array = {3, &two_of_three, numbers};
    const struct oriel_nested *value = &array;
    const struct oriel_type array_type = nested(ORIEL_TYPE_ARRAY, element, 1);
    check_value(array_type, &value, NULL, "[1, 2, NULL]");
    const struct oriel_nested empty = {0, NULL, numbers};
    value = &empty;
    check_value(array_type, &value, NULL, "[]");

    const struct oriel_field pair[] = {{NULL, oriel_type_string()}, {NULL, array_type}};
    const struct oriel_string key = text("k"), other = text("l");
    const struct oriel_nested *inner = &array;
    const oriel_u128 entries[] = {slot(&key, sizeof key), slot(&inner, sizeof inner),
                                  slot(&other, sizeof other), 0};
    static const uint64_t last_null = 7;
    const struct oriel_nested map = {2, &last_null, entries};
    value = &map;
    check_value(nested(ORIEL_TYPE_MAP, pair, 2), &value, NULL, "{k=[1, 2, NULL], l=NULL}");

    const struct oriel_field fields[] = {{"a", oriel_type_timestamp(3)},
                                         {"b", oriel_type_make(ORIEL_TYPE_DOUBLE)}};
    const oriel_u128 row_slots[] = {0, 0};
    const struct oriel_nested row = {2, &first, row_slots};
    value = &row;
    check_value(nested(ORIEL_TYPE_ROW, fields, 2), &value, NULL, "(1970-01-01 00:00:00.000, NULL)");
}

static void prints_nulls(void **state) {
    (void)state;
    struct oriel_memory memory = {0};
    struct oriel_text_buffer buffer;
    uint64_t valid[] = {2};
    int32_t values[] = {5, 6};
    const struct oriel_column column = {
        .type = oriel_type_make(ORIEL_TYPE_INT), .values = values, .valid = valid};
    oriel_text_buffer_init(&buffer, &memory);
    assert_int_equal(oriel_value_print(&buffer, &column, 0, NULL), ORIEL_OK);
    assert_int_equal(oriel_value_print(&buffer, &column, 1, NULL), ORIEL_OK);
    assert_int_equal(buffer.length, 7);
    assert_memory_equal(buffer.bytes, "<NULL>6", 7);
    oriel_text_buffer_deinit(&buffer);
}

static void reports_memory(void **state) {
    (void)state;
    enum { LENGTH = 10000 };
    static char bytes[LENGTH];
    struct oriel_memory memory = {.fail_at_call = 2};
    struct oriel_text_buffer buffer;
    memset(bytes, 'x', LENGTH);
    struct oriel_string values[] = {text("abc"), oriel_string_make(bytes, LENGTH)};
    const struct oriel_column column = {.type = oriel_type_string(), .values = values};
    const struct oriel_column binary = {.type = oriel_type_make(ORIEL_TYPE_VARBINARY),
                                        .values = values};
    oriel_text_buffer_init(&buffer, &memory);
    assert_int_equal(oriel_value_print(&buffer, &column, 0, NULL), ORIEL_OK);
    assert_int_equal(oriel_value_print(&buffer, &column, 1, NULL), ORIEL_MEMORY);
    memory.fail_at_call = 3;
    assert_int_equal(oriel_value_print(&buffer, &binary, 1, NULL), ORIEL_MEMORY);
    assert_int_equal(buffer.length, 3);
    assert_memory_equal(buffer.bytes, "abc", 3);
    assert_int_equal(oriel_text_buffer_reserve(&buffer, SIZE_MAX), ORIEL_MEMORY);
    oriel_text_buffer_deinit(&buffer);
    assert_int_equal(memory.used_bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_numbers),       cmocka_unit_test(prints_times),
        cmocka_unit_test(prints_intervals),     cmocka_unit_test(prints_strings),
        cmocka_unit_test(prints_nested_values), cmocka_unit_test(prints_nulls),
        cmocka_unit_test(reports_memory),
    };
    return cmocka_run_group_tests_name("value_text", tests, NULL, NULL);
}
