/*
 * Arrow streams in and out, with arrays built by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/arrow_case.h"
#include "tests/api/program_case.h"

static void register_case(struct oriel_engine *engine, struct arrow_case *it,
                          enum oriel_stream_use use, enum oriel_status expected,
                          const char *words) {
    struct ArrowArrayStream stream = arrow_open(it);
    struct oriel_error error = {0};
    assert_int_equal(oriel_engine_register_stream(engine, "t", &stream, use, &error), expected);
    assert_null(stream.release);
    if (words)
        assert_non_null(strstr(error.message, words));
}

static void reads_integers_and_offsets(void **state) {
    (void)state;
    static const int32_t numbers[] = {99, 1, 2, 3, 4};
    static const uint8_t validity[] = {0x16}; /* rows 1, 2 and 4 */
    static const uint16_t small[] = {0, 0, 65535, 7, 8, 9};
    static const void *number_buffers[] = {validity, numbers}, *small_buffers[] = {NULL, small};
    struct arrow_case it = {0};
    struct oriel_engine *engine = program_open();
    arrow_add_column(&it, "n", "i", ARROW_FLAG_NULLABLE);
    arrow_add_column(&it, "s", "S", 0);
    arrow_add_array(&it, 4, 1);
    arrow_set_column(&it, 0, 5, 0, 1, number_buffers, 2);
    arrow_set_column(&it, 1, 5, 1, 0, small_buffers, 2);
    arrow_add_array(&it, 0, 0);
    arrow_set_column(&it, 0, 0, 0, 0, number_buffers, 2);
    arrow_set_column(&it, 1, 0, 0, 0, small_buffers, 2);
    register_case(engine, &it, ORIEL_STREAM_KEEP, ORIEL_OK, NULL);
    program_check(engine, "SELECT * FROM t", "n,s\n1,65535\n2,7\n,8\n4,9\n");
    program_check(engine, "SELECT SUM(a.s) AS s FROM t AS a JOIN t AS b ON a.n = b.n",
                  "s\n65551\n");
    oriel_engine_close(&engine);
    assert_int_equal(it.schema_released, 1);
    assert_int_equal(it.array_released, 2);
    assert_int_equal(it.stream_released, 1);
}

static void reads_once(void **state) {
    (void)state;
    static const int64_t numbers[] = {1, 2, 3};
    static const void *buffers[] = {NULL, numbers};
    struct arrow_case it = {0};
    struct oriel_engine *engine = program_open();
    arrow_add_column(&it, "n", "l", 0);
    for (int i = 0; i < 3; i++) {
        arrow_add_array(&it, 3, 0);
        arrow_set_column(&it, 0, 3, 0, 0, buffers, 2);
    }
    register_case(engine, &it, ORIEL_STREAM_ONCE, ORIEL_OK, NULL);
    program_check(engine, "SELECT SUM(n) AS s, COUNT(*) AS c FROM t", "s,c\n18,9\n");
    assert_int_equal(it.array_released, 3);
    program_check_error(engine, "SELECT * FROM t", ORIEL_INVALID, "once");
    oriel_engine_close(&engine);
    assert_int_equal(it.array_released, 3);
}

static void reads_every_flat_type(void **state) {
    (void)state;
    static const uint8_t bits[] = {2};
    static const double doubles[] = {1.5, -2};
    static const uint16_t halves[] = {0x3c00, 0xc500};
    static const int32_t offsets[] = {0, 2, 5};
    static const int64_t times[] = {1704067200000000, -1}, seconds[] = {1704067200, 0};
    static const __int128 decimals[] = {-150, 5};
    static const char long_text[] = "a text of more than twelve bytes";
    static const struct {
        int32_t length;
        char prefix[4];
        int32_t place[2];
    } views[] = {{3, {'a', 'b', 'c'}, {0, 0}}, {32, {'a', ' ', 't', 'e'}, {0, 0}}};
    static const int64_t sizes[] = {32};
    static const void *columns[][4] = {
        {NULL, bits},
        {NULL, doubles},
        {NULL, halves},
        {NULL, offsets, "hixyz"},
        {NULL, times},
        {NULL, decimals},
        {NULL, views, long_text, sizes},
        {NULL, seconds},
    };
    static const char *const formats[] = {"b", "g", "e", "u", "tsu:", "d:10,2", "vu", "tss:UTC"};
    static const int64_t buffer_counts[] = {2, 2, 2, 3, 2, 2, 4, 2};
    struct arrow_case it = {0};
    struct oriel_engine *engine = program_open();
    static const char *const names[] = {"b", "g", "e", "u", "t", "d", "v", "z"};
    for (size_t i = 0; i < 8; i++)
        arrow_add_column(&it, names[i], formats[i], 0);
    arrow_add_array(&it, 2, 0);
    for (size_t i = 0; i < 8; i++) {
        const void **buffers = (const void **)(uintptr_t)columns[i];
        arrow_set_column(&it, i, 2, 0, -1, buffers, buffer_counts[i]);
    }
    register_case(engine, &it, ORIEL_STREAM_KEEP, ORIEL_OK, NULL);
    program_check(engine, "SELECT * FROM t",
                  "b,g,e,u,t,d,v,z\n"
                  "false,1.5,1.0,hi,2024-01-01 00:00:00.000000,-1.50,abc,2024-01-01 00:00:00Z\n"
                  "true,-2.0,-5.0,xyz,1969-12-31 23:59:59.999999,0.05,"
                  "a text of more than twelve bytes,1970-01-01 00:00:00Z\n");
    oriel_engine_close(&engine);
}

static void reads_dictionaries(void **state) {
    (void)state;
    static const int8_t indices[] = {1, 0, 1, -1};
    static const uint8_t validity[] = {7};
    static const int32_t offsets[] = {0, 5, 10};
    static const void *index_buffers[] = {validity, indices};
    static const void *value_buffers[] = {NULL, offsets, "busanseoul"};
    struct arrow_case it = {0};
    struct ArrowSchema values = {.format = "u", .name = ""};
    struct ArrowArray dictionary = {.length = 2, .n_buffers = 3, .buffers = value_buffers};
    struct oriel_engine *engine = program_open();
    arrow_add_column(&it, "shop", "c", ARROW_FLAG_NULLABLE);
    it.columns[0].dictionary = &values;
    arrow_add_array(&it, 4, 0);
    arrow_set_column(&it, 0, 4, 0, 1, index_buffers, 2)->dictionary = &dictionary;
    register_case(engine, &it, ORIEL_STREAM_KEEP, ORIEL_OK, NULL);
    program_check(engine, "SELECT shop, COUNT(*) AS c FROM t GROUP BY shop",
                  "shop,c\n,1\nbusan,1\nseoul,2\n");
    oriel_engine_close(&engine);
}

/* A stream of one string column that breaks a rule; the query must say so and nothing may leak. */
static void check_broken(const int32_t *offsets, const char *bytes, const uint8_t *validity,
                         int64_t null_count, int64_t length, const char *words) {
    const void *buffers[] = {validity, offsets, bytes};
    struct arrow_case it = {0};
    struct oriel_engine *engine = program_open();
    arrow_add_column(&it, "shop", "u", ARROW_FLAG_NULLABLE);
    arrow_add_array(&it, 2, 0);
    arrow_set_column(&it, 0, length, 0, null_count, buffers, 3);
    register_case(engine, &it, ORIEL_STREAM_KEEP, ORIEL_OK, NULL);
    program_check_error(engine, "SELECT * FROM t", ORIEL_DATA, words);
    program_check_error(engine, "SELECT * FROM t WHERE shop = 'x'", ORIEL_DATA, "");
    oriel_engine_close(&engine);
    assert_int_equal(it.stream_released, 1);
}

static void refuses_broken_arrays(void **state) {
    (void)state;
    static const int32_t backwards[] = {0, 5, 2}, negative[] = {-1, 2, 4}, right[] = {0, 2, 4};
    check_broken(backwards, "abcdef", NULL, 0, 2, "offsets at row 1");
    check_broken(negative, "abcdef", NULL, 0, 2, "offsets at row 0");
    check_broken(right, "ab\xc3(", NULL, 0, 2, "'shop': row 1 is not UTF-8");
    check_broken(right, "abcd", NULL, 1, 2, "no validity");
    check_broken(right, "abcd", NULL, 0, 1, "rows");
    check_broken(NULL, "abcd", NULL, 0, 2, "no values");
}

static void refuses_types_by_name(void **state) {
    (void)state;
    static const char *const formats[] = {"+vl",   "d:10,2,48", "tin", "+r",
                                          "d:0,0", "w:x",       "",    "tsq:"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct arrow_case it = {0};
        struct oriel_engine *engine = program_open();
        arrow_add_column(&it, "fine", "i", 0);
        arrow_add_column(&it, "odd", formats[i], 0);
        register_case(engine, &it, ORIEL_STREAM_KEEP, ORIEL_UNSUPPORTED, "'odd'");
        program_check(engine, "SHOW TABLES", "table name\n");
        oriel_engine_close(&engine);
        assert_int_equal(it.stream_released, 1);
        assert_int_equal(it.schema_released, 1);
    }
}

static void forwards_errors_of_the_stream(void **state) {
    (void)state;
    static const int64_t numbers[] = {1, 2, 3};
    static const void *buffers[] = {NULL, numbers};
    struct arrow_case it = {.failing_call = 2};
    struct oriel_engine *engine = program_open();
    arrow_add_column(&it, "n", "l", 0);
    arrow_add_array(&it, 3, 0);
    arrow_set_column(&it, 0, 3, 0, 0, buffers, 2);
    register_case(engine, &it, ORIEL_STREAM_KEEP, ORIEL_OK, NULL);
    program_check_error(engine, "SELECT * FROM t", ORIEL_IO, "the test wants it so");
    oriel_engine_close(&engine);
    assert_int_equal(it.array_released, 1);
}

static void export_query(struct oriel_engine *engine, const char *sql, struct oriel_script **script,
                         struct ArrowArrayStream *out) {
    struct oriel_result *result;
    assert_int_equal(oriel_script_open(engine, sql, strlen(sql), NULL, script, NULL), ORIEL_OK);
    assert_int_equal(oriel_script_next(*script, &result, NULL), ORIEL_OK);
    assert_int_equal(oriel_result_export_arrow(&result, out, NULL), ORIEL_OK);
    assert_null(result);
}

static void exports_arrays(void **state) {
    (void)state;
    struct oriel_engine *engine = program_open();
    struct oriel_script *script;
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray array;
    program_check(engine, program_orders, "");
    export_query(engine, "SELECT id, shop, ts, id > 2 AS late FROM orders", &script, &stream);
    assert_int_equal(stream.get_schema(&stream, &schema), 0);
    assert_string_equal(schema.format, "+s");
    assert_int_equal(schema.n_children, 4);
    assert_string_equal(schema.children[1]->name, "shop");
    assert_string_equal(schema.children[0]->format, "l");
    assert_string_equal(schema.children[1]->format, "u");
    assert_string_equal(schema.children[2]->format, "tsm:");
    assert_string_equal(schema.children[3]->format, "b");
    schema.release(&schema);
    assert_int_equal(stream.get_next(&stream, &array), 0);
    assert_int_equal(array.length, 4);
    const struct ArrowArray *shop = array.children[1];
    assert_int_equal(shop->null_count, 1);
    assert_int_equal(((const uint8_t *)shop->buffers[0])[0], 7);
    assert_int_equal(((const int32_t *)shop->buffers[1])[4], 15);
    assert_memory_equal(shop->buffers[2], "seoulbusanseoul", 15);
    assert_int_equal(((const uint8_t *)array.children[3]->buffers[1])[0], 12);
    struct ArrowArray moved = *array.children[0];
    array.children[0]->release = NULL;
    array.release(&array);
    assert_int_equal(((const int64_t *)moved.buffers[1])[2], 3);
    moved.release(&moved);
    assert_int_equal(stream.get_next(&stream, &array), 0);
    assert_null(array.release);
    stream.release(&stream);
    oriel_script_close(&script);
    oriel_engine_close(&engine);
}

/* What one engine exports, another imports. */
static void round_trip(void **state) {
    (void)state;
    static const char query[] =
        "SELECT * FROM (VALUES (1, 'x', 1.25, TRUE, DATE '2024-02-29', TIMESTAMP '2024-01-01 "
        "00:00:00.5'), (2, CAST(NULL AS STRING), -3.50, FALSE, DATE '1969-12-31', TIMESTAMP "
        "'1969-12-31 23:59:59.9')) AS v(a, b, c, d, e, f)";
    struct oriel_engine *from = program_open(), *to = program_open();
    struct oriel_script *script;
    struct ArrowArrayStream stream;
    struct collected expected = {0};
    assert_int_equal(program_run(from, query, &expected, NULL), ORIEL_OK);
    export_query(from, query, &script, &stream);
    assert_int_equal(oriel_engine_register_stream(to, "t", &stream, ORIEL_STREAM_KEEP, NULL),
                     ORIEL_OK);
    struct collected got = {0};
    assert_int_equal(
        program_run(to, "SELECT a, b, c, d, e, CAST(f AS TIMESTAMP(1)) AS f FROM t", &got, NULL),
        ORIEL_OK);
    assert_string_equal(got.bytes, expected.bytes);
    oriel_engine_close(&to);
    oriel_script_close(&script);
    oriel_engine_close(&from);
}

int main(void) {
#define IN_FOLDER(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, program_enter_folder, program_leave_folder)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_integers_and_offsets),
        cmocka_unit_test(reads_once),
        cmocka_unit_test(reads_every_flat_type),
        cmocka_unit_test(reads_dictionaries),
        cmocka_unit_test(refuses_broken_arrays),
        cmocka_unit_test(refuses_types_by_name),
        cmocka_unit_test(forwards_errors_of_the_stream),
        IN_FOLDER(exports_arrays),
        cmocka_unit_test(round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
