/*
 * Arrow tables in memory: they are read where they are, never written, and not a byte past their
 * ends, on every instruction set and with bitmaps that begin anywhere. Nested values go out and
 * come back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/arrow_case.h"
#include "tests/api/guarded.h"
#include "tests/api/program_case.h"

enum { BASE_ROWS = 300, TEXT_BYTES = 24 };

static const char columns_query[] =
    "SELECT COUNT(*) AS c, COUNT(n) AS cn, SUM(n) AS s, MIN(d) AS lo, MAX(u) AS hi,"
    " COUNT(DISTINCT u) AS du, SUM(CASE WHEN b THEN 1 ELSE 0 END) AS t, MAX(k) AS mk FROM t";
static const char *const queries[] = {
    columns_query,
    "SELECT n, i, d, u, b, k, ts FROM t WHERE n > 3 AND d < 1000",
    "SELECT u, k, COUNT(*) AS c, SUM(i) AS s FROM t GROUP BY u, k ORDER BY c DESC, u, k LIMIT 40",
    "SELECT n + i AS x, UPPER(u) AS y, d * 2 AS z FROM t ORDER BY d, n, u LIMIT 50",
    "SELECT a.n, b.i FROM t AS a JOIN t AS b ON a.n = b.n AND a.i = b.i ORDER BY 1, 2 LIMIT 20",
    "SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY d, n, u) AS r FROM t)"
    " WHERE r < 3",
};

/* `count` rows of seven columns, row i of which is the same wherever the buffers begin. */
struct made {
    struct arrow_case it;
    struct ArrowSchema dictionary_schema;
    struct ArrowArray dictionary;
    const void *buffers[8][3];
};

static uint8_t *make_bits(size_t offset, size_t count, unsigned modulus) {
    uint8_t *bits = guarded((offset + count + 7) / 8);
    for (size_t i = 0; i < count; i++) {
        const size_t at = offset + i;
        const unsigned bit = i % modulus != 1;
        bits[at / 8] = (uint8_t)((bits[at / 8] & ~(1U << (at % 8))) | (unsigned)(bit << (at % 8)));
    }
    return bits;
}

static void make_texts(struct made *made, size_t offset, size_t count) {
    int32_t *offsets = guarded((offset + count + 1) * sizeof *offsets);
    char *bytes = malloc(count * TEXT_BYTES + 1);
    int32_t end = 0;
    assert_non_null(bytes);
    for (size_t i = 0; i <= offset; i++)
        offsets[i] = 0;
    for (size_t i = 0; i < count; i++) {
        end += snprintf(bytes + end, TEXT_BYTES, i % 3 ? "w%zu" : "\xc3\xa9 a longer word %zu",
                        i % 37);
        offsets[offset + i + 1] = end;
    }
    made->buffers[3][1] = offsets;
    made->buffers[3][2] = guarded_copy(bytes, (size_t)end);
    free(bytes);
}

static void fill_values(struct made *made, size_t offset, size_t count) {
    const size_t length = offset + count;
    int64_t *n = guarded(length * sizeof *n), *ts = guarded(length * sizeof *ts);
    int32_t *i32 = guarded(length * sizeof *i32), *codes = guarded(length * sizeof *codes);
    double *d = guarded(length * sizeof *d);
    for (size_t i = 0; i < count; i++) {
        n[offset + i] = (int64_t)(i % 97);
        i32[offset + i] = (int32_t)(i % 13) - 6;
        d[offset + i] = (double)(i % 53) / 4;
        codes[offset + i] = (int32_t)(i % 3);
        ts[offset + i] = (int64_t)i * 1000;
    }
    const void *values[] = {n, i32, d, NULL, NULL, codes, ts};
    for (size_t c = 0; c < 7; c++) {
        if (values[c])
            made->buffers[c][1] = values[c];
    }
}

static void make_table(struct made *made, size_t offset, size_t count) {
    static const char *const names[] = {"n", "i", "d", "u", "b", "k", "ts"};
    static const char *const formats[] = {"l", "i", "g", "u", "b", "i", "tsm:"};
    *made = (struct made){.dictionary_schema = {.format = "u", .name = ""}};
    fill_values(made, offset, count);
    make_texts(made, offset, count);
    made->buffers[4][1] = make_bits(offset, count, 4);
    static const int32_t word_offsets[] = {0, 3, 3, 23};
    made->buffers[7][1] = guarded_copy(word_offsets, sizeof word_offsets);
    made->buffers[7][2] = guarded_copy("oneand a long third one", 23);
    made->dictionary =
        (struct ArrowArray){.length = 3, .n_buffers = 3, .buffers = made->buffers[7]};
    for (size_t c = 0; c < 7; c++) {
        arrow_add_column(&made->it, names[c], formats[c], ARROW_FLAG_NULLABLE);
        made->buffers[c][0] = c % 2 ? make_bits(offset, count, (unsigned)c + 5) : NULL;
    }
    made->it.columns[5].dictionary = &made->dictionary_schema;
    arrow_add_array(&made->it, (int64_t)count, 0);
    for (size_t c = 0; c < 7; c++)
        arrow_set_column(&made->it, c, (int64_t)count, (int64_t)offset, c % 2 ? -1 : 0,
                         made->buffers[c], c == 3 ? 3 : 2);
    made->it.child_pointers[0][5]->dictionary = &made->dictionary;
    guarded_freeze_all();
}

/* All queries over the table, on an engine of this instruction set. */
static void run_queries(const char *isa, size_t offset, size_t count, struct collected *out) {
    struct made made;
    make_table(&made, offset, count);
    struct ArrowArrayStream stream = arrow_open(&made.it);
    program_run_over(isa, 130, &stream, queries, sizeof queries / sizeof *queries, out);
    assert_int_equal(made.it.array_released, 1);
    guarded_free_all();
}

static void nothing_is_touched_past_the_end(void **state) {
    (void)state;
    static const size_t offsets[] = {1, 3, 8, 13, 64, 71};
    struct collected *want = calloc(1, sizeof *want), *got = calloc(1, sizeof *got);
    const char *isa;
    assert_true(want && got);
    run_queries(NULL, 0, BASE_ROWS, want);
    assert_true(want->length > 1000);
    for (size_t i = 0; (isa = oriel_engine_isa_at(i)) != NULL; i++) {
        for (size_t k = 0; k < sizeof offsets / sizeof *offsets; k++) {
            run_queries(isa, offsets[k], BASE_ROWS, got);
            assert_string_equal(got->bytes, want->bytes);
        }
    }
    free(want);
    free(got);
}

static uint64_t peak_of(size_t count) {
    struct made made;
    struct oriel_engine *engine = program_open();
    struct oriel_engine_progress progress;
    struct collected *out = calloc(1, sizeof *out);
    assert_non_null(out);
    make_table(&made, 0, count);
    struct ArrowArrayStream stream = arrow_open(&made.it);
    assert_int_equal(oriel_engine_register_stream(engine, "t", &stream, ORIEL_STREAM_KEEP, NULL),
                     ORIEL_OK);
    assert_int_equal(program_run(engine, columns_query, out, NULL), ORIEL_OK);
    oriel_engine_progress(engine, &progress);
    assert_int_equal(progress.row_count, count);
    oriel_engine_close(&engine);
    guarded_free_all();
    free(out);
    return progress.peak_memory_bytes;
}

/* What the engine allocates does not grow with the table. */
static void nothing_is_copied(void **state) {
    (void)state;
    const uint64_t small = peak_of(100000), large = peak_of(800000);
    assert_true(large < small + 65536);
}

static void export_query(struct oriel_engine *engine, const char *sql, struct oriel_script **script,
                         struct ArrowArrayStream *out) {
    struct oriel_result *result;
    assert_int_equal(oriel_script_open(engine, sql, strlen(sql), NULL, script, NULL), ORIEL_OK);
    assert_int_equal(oriel_script_next(*script, &result, NULL), ORIEL_OK);
    assert_int_equal(oriel_result_export_arrow(&result, out, NULL), ORIEL_OK);
}

static const char nested_query[] =
    "SELECT n, CAST(l AS ARRAY<STRING>) AS l, CAST(r AS ROW<a INT, b ROW<c STRING, d DOUBLE>>) AS "
    "r,"
    " CAST(m AS MAP<STRING, ARRAY<INT>>) AS m FROM (VALUES"
    " (1, ARRAY['x', CAST(NULL AS STRING), 'a text of more than twelve bytes'],"
    "  ROW(1, ROW('in', CAST(NULL AS DOUBLE))), MAP['k', ARRAY[1, 2]])) AS v(n, l, r, m)"
    " UNION ALL SELECT 2, CAST(NULL AS ARRAY<STRING>),"
    "  CAST(ROW(2, ROW('deep', 0.5e0)) AS ROW<a INT, b ROW<c STRING, d DOUBLE>>),"
    "  CAST(MAP['a', ARRAY[3], 'b', ARRAY[4]] AS MAP<STRING, ARRAY<INT>>)"
    " UNION ALL SELECT 3, CAST(ARRAY['y'] AS ARRAY<STRING>),"
    "  CAST(NULL AS ROW<a INT, b ROW<c STRING, d DOUBLE>>), CAST(NULL AS MAP<STRING, ARRAY<INT>>)";

static void nested_values_come_back(void **state) {
    (void)state;
    struct oriel_engine *from = program_open(), *to = program_open();
    struct oriel_script *script;
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct collected *want = calloc(1, sizeof *want), *got = calloc(1, sizeof *got);
    struct oriel_error error = {0};
    assert_true(want && got);
    assert_int_equal(program_run(from, nested_query, want, &error), ORIEL_OK);
    export_query(from, nested_query, &script, &stream);
    assert_int_equal(stream.get_schema(&stream, &schema), 0);
    assert_string_equal(schema.children[1]->format, "+l");
    assert_string_equal(schema.children[2]->children[1]->children[1]->format, "g");
    assert_string_equal(schema.children[3]->format, "+m");
    assert_int_equal(schema.children[3]->children[0]->children[0]->flags, 0);
    schema.release(&schema);
    assert_int_equal(oriel_engine_register_stream(to, "t", &stream, ORIEL_STREAM_KEEP, &error),
                     ORIEL_OK);
    assert_int_equal(program_run(to, "SELECT * FROM t", got, &error), ORIEL_OK);
    assert_string_equal(got->bytes, want->bytes);
    program_check(to, "SELECT l[3] AS a, r.b.c AS b, m['b'][1] AS c FROM t WHERE n < 3",
                  "a,b,c\na text of more than twelve bytes,in,\n,deep,4\n");
    oriel_engine_close(&to);
    oriel_script_close(&script);
    oriel_engine_close(&from);
    free(want);
    free(got);
}

/* A list of int32 with `offsets`, over 3 elements of which the first array says `elements`. */
static void check_broken_list(const int32_t *offsets, int64_t elements, int64_t child_count,
                              const char *words) {
    static const int32_t numbers[] = {1, 2, 3};
    const void *list_buffers[] = {NULL, offsets}, *number_buffers[] = {NULL, numbers};
    struct ArrowSchema item = {.format = "i", .name = "item"}, *items[] = {&item};
    struct ArrowArray child = {.length = elements, .n_buffers = 2, .buffers = number_buffers};
    struct ArrowArray *children[] = {&child};
    struct arrow_case it = {0};
    struct oriel_engine *engine = program_open();
    struct oriel_error error = {0};
    arrow_add_column(&it, "list", "+l", 0);
    it.columns[0].n_children = 1;
    it.columns[0].children = items;
    arrow_add_array(&it, 2, 0);
    struct ArrowArray *list = arrow_set_column(&it, 0, 2, 0, 0, list_buffers, 2);
    list->n_children = child_count;
    list->children = children;
    struct ArrowArrayStream stream = arrow_open(&it);
    assert_int_equal(oriel_engine_register_stream(engine, "t", &stream, ORIEL_STREAM_KEEP, &error),
                     ORIEL_OK);
    if (words)
        program_check_error(engine, "SELECT * FROM t", ORIEL_DATA, words);
    else
        program_check(engine, "SELECT list[1] AS x FROM t", "x\n1\n3\n");
    oriel_engine_close(&engine);
    assert_int_equal(it.stream_released, 1);
}

static void broken_lists_are_refused(void **state) {
    (void)state;
    static const int32_t right[] = {0, 2, 3}, backwards[] = {0, 2, 1}, negative[] = {-1, 2, 3};
    check_broken_list(right, 3, 1, NULL);
    check_broken_list(right, 2, 1, "'list': bad offsets at row 1");
    check_broken_list(backwards, 3, 1, "'list': bad offsets at row 1");
    check_broken_list(negative, 3, 1, "'list': bad offsets at row 0");
    check_broken_list(right, 3, 0, "'list': a nested array has the wrong children");
    check_broken_list(right, -1, 1, "'list': bad length");
}

/* The engine is closed before the last array is released. */
static void arrays_outlive_their_engine(void **state) {
    (void)state;
    struct oriel_engine *engine = program_open();
    struct oriel_script *script;
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray array;
    export_query(engine, "SELECT 'a text of more than twelve bytes' AS x", &script, &stream);
    assert_int_equal(stream.get_schema(&stream, &schema), 0);
    assert_int_equal(stream.get_next(&stream, &array), 0);
    stream.release(&stream);
    oriel_script_close(&script);
    oriel_engine_close(&engine);
    assert_null(engine);
    struct ArrowArray moved = *array.children[0];
    array.children[0]->release = NULL;
    array.release(&array);
    assert_memory_equal(moved.buffers[2], "a text of more than twelve bytes", 32);
    moved.release(&moved);
    schema.release(&schema);
}

static void streams_say_all_of_an_error(void **state) {
    (void)state;
    struct oriel_engine *engine = program_open();
    struct oriel_script *script;
    struct ArrowArrayStream stream;
    struct ArrowArray array;
    struct oriel_error error = {.status = ORIEL_DATA};
    export_query(engine, "SELECT 1 / x FROM (VALUES (0)) AS t(x)", &script, &stream);
    oriel_stream_error(&stream, &error);
    assert_int_equal(error.status, ORIEL_OK);
    assert_int_not_equal(stream.get_next(&stream, &array), 0);
    oriel_stream_error(&stream, &error);
    assert_int_equal(error.status, ORIEL_RUNTIME);
    assert_string_equal(error.message, stream.get_last_error(&stream));
    stream.release(&stream);
    oriel_script_close(&script);
    oriel_engine_close(&engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_touched_past_the_end),
        cmocka_unit_test(nothing_is_copied),
        cmocka_unit_test(nested_values_come_back),
        cmocka_unit_test(broken_lists_are_refused),
        cmocka_unit_test(arrays_outlive_their_engine),
        cmocka_unit_test(streams_say_all_of_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
