/*
 * Strings in every form that Arrow has: by offsets, as views, as numbers in a dictionary. Whatever
 * the numbers' width, where arrays begin, how dictionaries change and what is NULL in them, queries
 * give the same, on every instruction set, and nothing is read past the end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/arrow_case.h"
#include "tests/api/guarded.h"
#include "tests/api/program_case.h"

enum { ARRAYS = 3, EMPTY_AFTER = 1, ARRAY_ROWS = 1100, WORDS = 7, WORD_BYTES = 64 };

static const char *const queries[] = {
    "SELECT k, COUNT(*) AS c, SUM(n) AS s FROM t GROUP BY k",
    "SELECT k, COUNT(*) AS c, MIN(n) AS lo FROM t WHERE n % 3 > 0 GROUP BY k",
    "SELECT k, n / 100 AS h, COUNT(*) AS c FROM t WHERE n > 50 GROUP BY k, n / 100",
    "SELECT window_start, k, COUNT(*) AS c FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '20' "
    "SECOND) GROUP BY window_start, window_end, k",
    "SELECT k, COUNT(*) AS c, SUM(m) AS s FROM (SELECT k, MAX(n) AS m FROM SESSION(TABLE t "
    "PARTITION BY k, DESCRIPTOR(ts), INTERVAL '1' SECOND) GROUP BY window_start, window_end, k) "
    "GROUP BY k",
    "SELECT k, n, ts FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY ts DESC, n) AS r "
    "FROM t) WHERE r = 1",
    "SELECT k, n FROM t WHERE k LIKE 'a%' OR k IS NULL ORDER BY n, k LIMIT 50",
    "SELECT COUNT(DISTINCT k) AS d, MIN(k) AS lo, MAX(k) AS hi FROM t",
    "SELECT a.k, COUNT(*) AS c FROM t AS a JOIN t AS b ON a.k = b.k AND a.n = b.n GROUP BY a.k",
    "SELECT k, COUNT(*) AS c FROM t GROUP BY GROUPING SETS ((k), ())",
};

/* Two entries are equal. */
static const char *const words[WORDS] = {"a", "busan", "a long word past twelve bytes",      "",
                                         "a", "seoul", "another long word, longer than that"};

/* How a table holds its words. */
struct form {
    const char *indices; /* the format of numbers; NULL: no dictionary */
    const char *values;  /* the format of the strings: u, U or vu */
    size_t offset;       /* where the rows begin */
    bool changes;        /* another dictionary for each array */
    bool null_entry;     /* rows of word 3 are NULL: by the dictionary, not by themselves */
    bool null_rows;      /* some rows are NULL */
};

struct made {
    struct arrow_case it;
    struct ArrowSchema value_schema;
    struct ArrowArray dictionaries[ARRAYS];
    const void *value_buffers[ARRAYS][4];
    const void *buffers[ARRAYS][3][4];
};

static size_t word_of(size_t row) {
    return row % 13 < 5 ? row % WORDS : row * row % 5;
}

static bool is_null(const struct form *form, size_t row) {
    return (form->null_rows && row % 11 == 4) || (form->null_entry && word_of(row) == 3);
}

/* The place of a word in the dictionary of an array. */
static size_t place_of(const struct form *form, size_t array, size_t word) {
    return form->changes ? (word + array) % WORDS : word;
}

static uint8_t *make_validity(const struct form *form, size_t first) {
    uint8_t *bits = guarded((form->offset + ARRAY_ROWS + 7) / 8);
    for (size_t i = 0; i < ARRAY_ROWS; i++) {
        const size_t at = form->offset + i;
        const bool null =
            form->indices ? form->null_rows && (first + i) % 11 == 4 : is_null(form, first + i);
        bits[at / 8] = (uint8_t)((bits[at / 8] & ~(1U << at % 8)) | (unsigned)!null << at % 8);
    }
    return bits;
}

static size_t width_of(const char *indices) {
    static const char formats[] = "cCsSiIlL";
    return (size_t)1 << (strchr(formats, indices[0]) - formats) / 2;
}

/* Little-endian, as all machines that this is built for. NULL rows have a number out of range. */
static void *make_indices(const struct form *form, size_t array) {
    const size_t width = width_of(form->indices);
    char *out = guarded((form->offset + ARRAY_ROWS) * width);
    for (size_t i = 0; i < ARRAY_ROWS; i++) {
        const size_t row = array * ARRAY_ROWS + i;
        const uint64_t number =
            form->null_rows && row % 11 == 4 ? 100 : place_of(form, array, word_of(row));
        memcpy(out + (form->offset + i) * width, &number, width);
    }
    return out;
}

/* Strings with offsets of 32 or 64 bits, `texts[i]` of `count` from place `first` on. */
static void make_strings(const char *const *texts, size_t count, size_t first, bool wide,
                         const void **buffers) {
    int64_t *wide_offsets = guarded((first + count + 1) * sizeof *wide_offsets);
    int32_t *offsets = guarded((first + count + 1) * sizeof *offsets);
    char *bytes = calloc(count, WORD_BYTES);
    int32_t end = 0;
    assert_non_null(bytes);
    memset(offsets, 0, (first + 1) * sizeof *offsets);
    memset(wide_offsets, 0, (first + 1) * sizeof *wide_offsets);
    for (size_t i = 0; i < count; i++) {
        memcpy(bytes + end, texts[i], strlen(texts[i]));
        end += (int32_t)strlen(texts[i]);
        offsets[first + i + 1] = end;
        wide_offsets[first + i + 1] = end;
    }
    buffers[1] = wide ? (const void *)wide_offsets : offsets;
    buffers[2] = guarded_copy(bytes, (size_t)end);
    free(bytes);
}

/* 16 bytes each: the length, then the text or its beginning and where it is. */
static void make_views(const char *const *texts, size_t count, size_t first, const void **buffers) {
    char *views = guarded((first + count) * 16), *bytes = calloc(count, WORD_BYTES);
    int64_t *size = guarded(sizeof *size);
    int32_t end = 0;
    assert_non_null(bytes);
    memset(views, 0, (first + count) * 16);
    for (size_t i = 0; i < count; i++) {
        const int32_t length = (int32_t)strlen(texts[i]), place[] = {0, end};
        char *view = views + (first + i) * 16;
        memcpy(view, &length, sizeof length);
        memcpy(view + 4, texts[i], (size_t)(length <= 12 ? length : 4));
        if (length <= 12)
            continue;
        memcpy(view + 8, place, sizeof place);
        memcpy(bytes + end, texts[i], (size_t)length);
        end += length;
    }
    *size = end;
    buffers[1] = views;
    buffers[2] = guarded_copy(bytes, (size_t)end);
    buffers[3] = size;
    free(bytes);
}

static int64_t make_values(const struct form *form, const char *const *texts, size_t count,
                           size_t first, const void **buffers) {
    const bool views = form->values[0] == 'v';
    if (views)
        make_views(texts, count, first, buffers);
    else
        make_strings(texts, count, first, form->values[0] == 'U', buffers);
    return views ? 4 : 3;
}

static void make_dictionary(struct made *made, const struct form *form, size_t array) {
    const char all_but_one = (char)(0x7f & ~(1 << place_of(form, array, 3)));
    const char *texts[WORDS];
    const void **buffers = made->value_buffers[array];
    for (size_t w = 0; w < WORDS; w++)
        texts[place_of(form, array, w)] = words[w];
    buffers[0] = form->null_entry ? guarded_copy(&all_but_one, 1) : NULL;
    made->dictionaries[array] =
        (struct ArrowArray){.length = WORDS,
                            .null_count = form->null_entry ? 1 : 0,
                            .n_buffers = make_values(form, texts, WORDS, 0, buffers),
                            .buffers = buffers};
}

static void make_words(struct made *made, const struct form *form, size_t array) {
    const void **buffers = made->buffers[array][0];
    const bool has_null = form->null_rows || (form->null_entry && !form->indices);
    const size_t first = array * ARRAY_ROWS, length = form->offset + ARRAY_ROWS;
    int64_t buffer_count = 2;
    buffers[0] = has_null ? make_validity(form, first) : NULL;
    if (!form->indices) {
        const char *texts[ARRAY_ROWS];
        for (size_t i = 0; i < ARRAY_ROWS; i++)
            texts[i] = words[word_of(first + i)];
        buffer_count = make_values(form, texts, ARRAY_ROWS, form->offset, buffers);
    } else {
        buffers[1] = make_indices(form, array);
    }
    struct ArrowArray *out = arrow_set_column(&made->it, 0, (int64_t)length, (int64_t)form->offset,
                                              has_null ? -1 : 0, buffers, buffer_count);
    if (form->indices && (array == 0 || form->changes))
        make_dictionary(made, form, array);
    if (form->indices)
        out->dictionary = &made->dictionaries[form->changes ? array : 0];
}

/* Three arrays, the second followed by an empty one. */
static void make_table(struct made *made, const struct form *form) {
    *made = (struct made){.value_schema = {.format = form->values, .name = ""}};
    arrow_add_column(&made->it, "k", form->indices ? form->indices : form->values,
                     ARROW_FLAG_NULLABLE);
    arrow_add_column(&made->it, "n", "l", 0);
    arrow_add_column(&made->it, "ts", "tsm:", 0);
    made->it.columns[0].dictionary = form->indices ? &made->value_schema : NULL;
    for (size_t a = 0; a < ARRAYS; a++) {
        int64_t *n = guarded(ARRAY_ROWS * sizeof *n), *ts = guarded(ARRAY_ROWS * sizeof *ts);
        for (size_t i = 0; i < ARRAY_ROWS; i++) {
            n[i] = (int64_t)(a * ARRAY_ROWS + i);
            ts[i] = n[i] * 333 + (n[i] % 7 == 0 ? 900 : 0);
        }
        made->buffers[a][1][1] = n;
        made->buffers[a][2][1] = ts;
        arrow_add_array(&made->it, ARRAY_ROWS, 0);
        make_words(made, form, a);
        for (size_t c = 1; c < 3; c++)
            arrow_set_column(&made->it, c, ARRAY_ROWS, 0, 0, made->buffers[a][c], 2);
        if (a != EMPTY_AFTER)
            continue;
        arrow_add_array(&made->it, 0, 0);
        for (size_t c = 0; c < 3; c++)
            arrow_set_column(&made->it, c, 0, 0, 0, made->buffers[a][c],
                             c || form->indices       ? 2
                             : form->values[0] == 'v' ? 4
                                                      : 3)
                ->dictionary = c || !form->indices ? NULL : &made->dictionaries[0];
    }
    guarded_freeze_all();
}

/* All queries over a table of this form. */
static void run_queries(const char *isa, const struct form *form, struct collected *out) {
    struct made made;
    make_table(&made, form);
    struct ArrowArrayStream stream = arrow_open(&made.it);
    program_run_over(isa, 640, &stream, queries, sizeof queries / sizeof *queries, out);
    guarded_free_all();
}

static void check_forms(const char *isa, const struct form *base) {
    static const char *const indices[] = {"c", "C", "s", "S", "i", "I", "l", "L"};
    struct collected *want = calloc(1, sizeof *want), *got = calloc(1, sizeof *got);
    struct form form = *base;
    assert_true(want && got);
    form.indices = NULL;
    form.values = "u";
    run_queries(isa, &form, want);
    assert_true(want->length > 3000);
    form.values = base->values;
    run_queries(isa, &form, got);
    assert_string_equal(got->bytes, want->bytes);
    for (size_t i = 0; i < sizeof indices / sizeof *indices; i++) {
        form.indices = indices[i];
        form.changes = base->changes != (i % 2 == 1);
        run_queries(isa, &form, got);
        assert_string_equal(got->bytes, want->bytes);
    }
    free(want);
    free(got);
}

static void all_forms_give_the_same(void **state) {
    (void)state;
    static const struct form forms[] = {
        {.values = "u"},
        {.values = "u", .null_rows = true},
        {.values = "U", .offset = 3, .changes = true, .null_rows = true},
        {.values = "vu", .offset = 64},
        {.values = "u", .offset = 9, .null_entry = true},
        {.values = "vu", .changes = true, .null_entry = true, .null_rows = true},
    };
    const char *isa;
    for (size_t i = 0; (isa = oriel_engine_isa_at(i)) != NULL; i++) {
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
            check_forms(isa, &forms[f]);
    }
}

/* Row 2 is number `index`, or NULL. */
static void check_index(int32_t index, const uint8_t *validity, const char *message) {
    static const int32_t offsets[] = {0, 5, 10};
    static const void *value_buffers[] = {NULL, offsets, "busanseoul"};
    const int32_t indices[] = {0, 1, index, 1};
    const void *index_buffers[] = {validity, indices};
    struct ArrowSchema values = {.format = "u", .name = ""};
    struct ArrowArray dictionary = {.length = 2, .n_buffers = 3, .buffers = value_buffers};
    struct arrow_case it = {0};
    struct oriel_engine *engine = program_open();
    arrow_add_column(&it, "shop", "i", ARROW_FLAG_NULLABLE);
    it.columns[0].dictionary = &values;
    arrow_add_array(&it, 4, 0);
    arrow_set_column(&it, 0, 4, 0, -1, index_buffers, 2)->dictionary = &dictionary;
    struct ArrowArrayStream stream = arrow_open(&it);
    assert_int_equal(oriel_engine_register_stream(engine, "t", &stream, ORIEL_STREAM_KEEP, NULL),
                     ORIEL_OK);
    if (message)
        program_check_error(engine, "SELECT shop, COUNT(*) AS c FROM t GROUP BY shop", ORIEL_DATA,
                            message);
    else
        program_check(engine, "SELECT shop, COUNT(*) AS c FROM t GROUP BY shop",
                      "shop,c\n,1\nbusan,1\nseoul,2\n");
    oriel_engine_close(&engine);
}

static void numbers_out_of_range_are_refused(void **state) {
    (void)state;
    static const uint8_t third_null[] = {11};
    check_index(2, NULL, "column 'shop': dictionary index 2 of 2");
    check_index(-1, NULL, "column 'shop': dictionary index -1 of 2");
    check_index(INT32_MAX, NULL, "dictionary index 2147483647 of 2");
    check_index(-1, third_null, NULL);
    check_index(2, third_null, NULL);
}

/* Two rows, the second of which the message names. */
static void check_text(const char *format, const void **buffers, int64_t buffer_count,
                       const char *message) {
    struct arrow_case it = {0};
    struct oriel_engine *engine = program_open();
    arrow_add_column(&it, "shop", format, ARROW_FLAG_NULLABLE);
    arrow_add_array(&it, 2, 0);
    arrow_set_column(&it, 0, 2, 0, 0, buffers, buffer_count);
    struct ArrowArrayStream stream = arrow_open(&it);
    assert_int_equal(oriel_engine_register_stream(engine, "t", &stream, ORIEL_STREAM_KEEP, NULL),
                     ORIEL_OK);
    program_check_error(engine, "SELECT * FROM t", ORIEL_DATA, message);
    oriel_engine_close(&engine);
}

static void broken_strings_are_refused(void **state) {
    (void)state;
    static const char long_text[] = "a text of more than twelve bytes\xc3(";
    static const int64_t wide[] = {0, 2, 1}, cut[] = {0, 1, 2}, far[] = {0, 1, INT64_MAX};
    static const int64_t size = 34;
    struct view {
        int32_t length;
        char prefix[4];
        int32_t place[2];
    };
    static const struct view bad_short[] = {{1, {'a'}, {0, 0}}, {2, {'\xc3', '('}, {0, 0}}};
    static const struct view bad_long[] = {{1, {'a'}, {0, 0}}, {34, {'a', ' ', 't', 'e'}, {0, 0}}};
    static const struct view outside[] = {{1, {'a'}, {0, 0}}, {34, {'a', ' ', 't', 'e'}, {0, 1}}};
    static const struct view nowhere[] = {{1, {'a'}, {0, 0}}, {34, {'a', ' ', 't', 'e'}, {1, 0}}};
    static const struct view negative[] = {{1, {'a'}, {0, 0}}, {-1, {'a', ' ', 't', 'e'}, {0, 0}}};
    check_text("U", (const void *[]){NULL, wide, "abcd"}, 3, "'shop': bad offsets at row 1");
    check_text("U", (const void *[]){NULL, far, "abcd"}, 3, "the text of row 1 has 2 GiB or more");
    check_text("U", (const void *[]){NULL, cut, "\xc3\xa9"}, 3, "'shop': row 0 is not UTF-8");
    const struct view *views[] = {bad_short, bad_long};
    for (size_t i = 0; i < 2; i++)
        check_text("vu", (const void *[]){NULL, views[i], long_text, &size}, 4,
                   "'shop': row 1 is not UTF-8");
    const struct view *lost[] = {outside, nowhere, negative};
    for (size_t i = 0; i < 3; i++)
        check_text("vu", (const void *[]){NULL, lost[i], long_text, &size}, 4,
                   "'shop': bad offsets at row 1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_forms_give_the_same),
        cmocka_unit_test(numbers_out_of_range_are_refused),
        cmocka_unit_test(broken_strings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
