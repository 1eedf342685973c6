/*
 * The evaluator: three-valued logic, parts that are not reached, folding, failing allocations.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/functions/call_case.h"

enum { ROWS = 300, WORDS = (ROWS + 63) / 64 };

struct sheet {
    struct call_bench bench;
    struct oriel_column columns[3];
    struct oriel_batch batch;
};

/* Columns of small integers and NULLs, from a fixed seed. */
static void open_sheet(struct sheet *sheet, enum oriel_type_id id, unsigned modulo) {
    uint32_t state = 12345;
    call_bench_open(&sheet->bench, "UTC");
    sheet->bench.runtime.batch_rows = ROWS;
    for (uint32_t c = 0; c < 3; c++) {
        const struct oriel_type type = oriel_type_make(id);
        const size_t size = oriel_physical_size(oriel_type_physical(&type));
        char *values = oriel_arena_allocate_zeroed(&sheet->bench.arena, ROWS + 64, size);
        uint64_t *valid = oriel_arena_allocate_zeroed(&sheet->bench.arena, WORDS + 8, 8);
        for (size_t row = 0; row < ROWS; row++) {
            state = state * 1664525 + 1013904223;
            const int32_t value = (int32_t)(state >> 16) % (int32_t)modulo;
            memcpy(values + row * size, &value, size);
            if ((state >> 8) % 4)
                oriel_bits_set(valid, row);
        }
        sheet->columns[c] = (struct oriel_column){.type = type, .values = values, .valid = valid};
    }
    sheet->batch =
        (struct oriel_batch){.row_count = ROWS, .column_count = 3, .columns = sheet->columns};
}

static struct oriel_expression *make(struct call_bench *bench, enum oriel_expression_kind kind,
                                     struct oriel_type type, uint32_t count,
                                     struct oriel_expression **parts) {
    struct oriel_expression *out = oriel_arena_allocate_zeroed(&bench->arena, 1, sizeof *out);
    struct oriel_expression **kept =
        oriel_arena_allocate_zeroed(&bench->arena, count + 1, sizeof *kept);
    memcpy(kept, parts, count * sizeof *kept);
    *out = (struct oriel_expression){.kind = kind,
                                     .type = type,
                                     .argument_count = count,
                                     .arguments = kept,
                                     .has_else = kind == ORIEL_EXPRESSION_CASE && count % 2 == 1};
    return out;
}

static struct oriel_expression *call(struct call_bench *bench, const char *name, uint32_t count,
                                     struct oriel_expression **parts) {
    struct oriel_error error = {.status = ORIEL_OK};
    struct oriel_expression *out = NULL;
    if (oriel_expression_call(&bench->runtime, &bench->arena, name, (struct oriel_position){3, 14},
                              parts, count, NULL, &out, &error) != ORIEL_OK)
        fail_msg("%s: %s", name, error.message);
    return out;
}

static struct oriel_expression *two(struct call_bench *bench, const char *name,
                                    struct oriel_expression *a, struct oriel_expression *b) {
    struct oriel_expression *parts[] = {a, b};
    return call(bench, name, 2, parts);
}

static struct oriel_expression *column(struct sheet *sheet, uint32_t index) {
    return column_of(&sheet->bench, index, sheet->columns[index].type);
}

/* 0, 1, or 2 for NULL. */
static int truth_at(const struct oriel_column *column, size_t row) {
    return oriel_column_is_null(column, row) ? 2 : ((const uint8_t *)column->values)[row];
}

static int and_of(int a, int b) {
    return a == 0 || b == 0 ? 0 : a == 2 || b == 2 ? 2 : 1;
}

static int not_of(int a) {
    return a == 2 ? 2 : !a;
}

static void test_three_valued_logic(void **state) {
    (void)state;
    struct sheet sheet;
    open_sheet(&sheet, ORIEL_TYPE_BOOLEAN, 2);
    const struct oriel_type type = oriel_type_make(ORIEL_TYPE_BOOLEAN);
    struct oriel_expression *a = column(&sheet, 0), *b = column(&sheet, 1), *c = column(&sheet, 2);
    struct oriel_expression *all[] = {a, b, c};
    struct oriel_expression *not_c = call(&sheet.bench, "NOT", 1, &c);
    struct oriel_expression *right[] = {not_c, a};
    struct oriel_expression *sides[] = {make(&sheet.bench, ORIEL_EXPRESSION_AND, type, 3, all),
                                        make(&sheet.bench, ORIEL_EXPRESSION_AND, type, 2, right)};
    struct oriel_expression *either = make(&sheet.bench, ORIEL_EXPRESSION_OR, type, 2, sides);
    struct oriel_error error = {.status = ORIEL_OK};
    struct oriel_evaluator *evaluator;
    const struct oriel_column *out;
    assert_int_equal(oriel_evaluator_open(&sheet.bench.runtime, &either, 1, &evaluator, &error),
                     ORIEL_OK);
    assert_int_equal(oriel_evaluator_run(evaluator, &sheet.batch, &out, &error), ORIEL_OK);
    for (size_t row = 0; row < ROWS; row++) {
        const int x = truth_at(&sheet.columns[0], row), y = truth_at(&sheet.columns[1], row);
        const int z = truth_at(&sheet.columns[2], row);
        const int left = and_of(and_of(x, y), z), other = and_of(not_of(z), x);
        assert_int_equal(truth_at(out, row), not_of(and_of(not_of(left), not_of(other))));
    }
    oriel_evaluator_close(&evaluator);
    call_bench_close(&sheet.bench);
}

/* CASE WHEN x = -150 THEN -150 WHEN x = -149 ...: more constants than have buffers of their own. */
static void test_many_constants(void **state) {
    (void)state;
    enum { BRANCHES = 300 };
    struct sheet sheet;
    open_sheet(&sheet, ORIEL_TYPE_INT, 5);
    struct call_bench *bench = &sheet.bench;
    struct oriel_expression *parts[2 * BRANCHES];
    for (int i = 0; i < BRANCHES; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", i - BRANCHES / 2);
        parts[2 * i + 1] = constant_of_text(bench, "INT", number);
        parts[2 * i] = two(bench, "=", column(&sheet, 0), constant_of_text(bench, "INT", number));
    }
    struct oriel_expression *chosen =
        make(bench, ORIEL_EXPRESSION_CASE, oriel_type_make(ORIEL_TYPE_INT), 2 * BRANCHES, parts);
    struct oriel_error error = {.status = ORIEL_OK};
    struct oriel_evaluator *evaluator;
    const struct oriel_column *out;
    const size_t before = bench->runtime.memory->used_bytes;
    assert_int_equal(oriel_evaluator_open(&bench->runtime, &chosen, 1, &evaluator, &error),
                     ORIEL_OK);
    assert_true(bench->runtime.memory->used_bytes - before <
                BRANCHES * bench->runtime.batch_rows * sizeof(int32_t) + BRANCHES * 1000);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(oriel_evaluator_run(evaluator, &sheet.batch, &out, &error), ORIEL_OK);
        for (size_t row = 0; row < ROWS; row++) {
            assert_int_equal(oriel_column_is_null(out, row),
                             oriel_column_is_null(&sheet.columns[0], row));
            if (!oriel_column_is_null(out, row))
                assert_int_equal(((const int32_t *)out->values)[row],
                                 ((const int32_t *)sheet.columns[0].values)[row]);
        }
    }
    oriel_evaluator_close(&evaluator);
    call_bench_close(bench);
}

/* x <> 0 AND 12 / x > 2, and CASE WHEN x = 0 THEN -1 WHEN x < 0 THEN y ELSE 12 / x END. */
static void test_unreached_parts(void **state) {
    (void)state;
    struct sheet sheet;
    open_sheet(&sheet, ORIEL_TYPE_INT, 5);
    struct call_bench *bench = &sheet.bench;
    struct oriel_expression *x = column(&sheet, 0), *y = column(&sheet, 1);
    struct oriel_expression *zero = constant_of_text(bench, "INT", "0");
    struct oriel_expression *quotient = two(bench, "/", constant_of_text(bench, "INT", "12"), x);
    struct oriel_expression *conditions[] = {
        two(bench, "<>", x, zero), two(bench, ">", quotient, constant_of_text(bench, "INT", "2"))};
    struct oriel_expression *parts[] = {two(bench, "=", x, zero),
                                        constant_of_text(bench, "INT", "-1"),
                                        two(bench, "<", x, zero), y, quotient};
    struct oriel_expression *expressions[] = {
        make(bench, ORIEL_EXPRESSION_AND, oriel_type_make(ORIEL_TYPE_BOOLEAN), 2, conditions),
        make(bench, ORIEL_EXPRESSION_CASE, oriel_type_make(ORIEL_TYPE_INT), 5, parts)};
    struct oriel_error error = {.status = ORIEL_OK};
    struct oriel_evaluator *evaluator;
    const struct oriel_column *out;
    assert_int_equal(oriel_evaluator_open(&bench->runtime, expressions, 2, &evaluator, &error),
                     ORIEL_OK);
    assert_int_equal(oriel_evaluator_run(evaluator, &sheet.batch, &out, &error), ORIEL_OK);
    for (size_t row = 0; row < ROWS; row++) {
        const bool null_x = oriel_column_is_null(&sheet.columns[0], row);
        const bool null_y = oriel_column_is_null(&sheet.columns[1], row);
        const int32_t value_x = ((const int32_t *)sheet.columns[0].values)[row];
        const int32_t value_y = ((const int32_t *)sheet.columns[1].values)[row];
        const int wanted = null_x ? 2 : value_x != 0 && 12 / value_x > 2;
        assert_int_equal(truth_at(&out[0], row), wanted);
        const bool null_case = null_x || (value_x < 0 && null_y);
        assert_int_equal(oriel_column_is_null(&out[1], row), null_case);
        if (!null_case)
            assert_int_equal(((const int32_t *)out[1].values)[row], value_x == 0  ? -1
                                                                    : value_x < 0 ? value_y
                                                                                  : 12 / value_x);
    }
    oriel_evaluator_close(&evaluator);
    assert_int_equal(oriel_evaluator_open(&bench->runtime, &quotient, 1, &evaluator, &error),
                     ORIEL_OK);
    assert_int_equal(oriel_evaluator_run(evaluator, &sheet.batch, &out, &error), ORIEL_RUNTIME);
    assert_string_equal(error.message, "/ by zero; NULLIF(x, 0) as the divisor gives NULL instead");
    assert_int_equal(error.line, 3);
    assert_int_equal(error.column, 14);
    oriel_evaluator_close(&evaluator);
    call_bench_close(bench);
}

static void test_folding(void **state) {
    (void)state;
    struct call_bench bench;
    struct oriel_error error = {.status = ORIEL_OK};
    call_bench_open(&bench, "UTC");
    struct oriel_expression *sum = two(&bench, "+", constant_of_text(&bench, "INT", "1"),
                                       constant_of_text(&bench, "INT", "2"));
    assert_int_equal(sum->kind, ORIEL_EXPRESSION_CONSTANT);
    assert_int_equal(*(const int32_t *)sum->constant.values, 3);
    struct oriel_expression *random = call(&bench, "RAND", 0, NULL);
    assert_int_equal(random->kind, ORIEL_EXPRESSION_CALL);
    struct oriel_expression *long_text =
        two(&bench, "||", constant_of_text(&bench, "STRING", "more than "),
            constant_of_text(&bench, "STRING", "twelve bytes"));
    assert_int_equal(long_text->kind, ORIEL_EXPRESSION_CONSTANT);
    assert_memory_equal(oriel_string_bytes(long_text->constant.values), "more than twelve bytes",
                        22);
    struct oriel_expression *parts[] = {constant_of_text(&bench, "INT", "1"),
                                        constant_of_text(&bench, "INT", "0")};
    struct oriel_expression *quotient;
    assert_int_equal(oriel_expression_call(&bench.runtime, &bench.arena, "/",
                                           (struct oriel_position){1, 1}, parts, 2, NULL, &quotient,
                                           &error),
                     ORIEL_OK);
    assert_int_equal(quotient->kind, ORIEL_EXPRESSION_CALL);
    struct oriel_expression *conditions[] = {
        constant_of_text(&bench, "BOOLEAN", "FALSE"),
        two(&bench, "=", quotient, constant_of_text(&bench, "INT", "1"))};
    struct oriel_expression *both =
        make(&bench, ORIEL_EXPRESSION_AND, oriel_type_make(ORIEL_TYPE_BOOLEAN), 2, conditions);
    struct oriel_evaluator *evaluator;
    const struct oriel_column *out;
    const struct oriel_batch batch = {.row_count = 1};
    assert_int_equal(oriel_evaluator_open(&bench.runtime, &both, 1, &evaluator, &error), ORIEL_OK);
    assert_int_equal(oriel_evaluator_run(evaluator, &batch, &out, &error), ORIEL_OK);
    assert_int_equal(truth_at(out, 0), 0);
    oriel_evaluator_close(&evaluator);
    assert_int_equal(oriel_evaluator_open(&bench.runtime, &quotient, 1, &evaluator, &error),
                     ORIEL_OK);
    assert_int_equal(oriel_evaluator_run(evaluator, &batch, &out, &error), ORIEL_RUNTIME);
    oriel_evaluator_close(&evaluator);
    call_bench_close(&bench);
}

/* Opens, runs and closes with allocation n failing, for every n until all goes well. */
static void test_failing_allocations(void **state) {
    (void)state;
    struct sheet sheet;
    open_sheet(&sheet, ORIEL_TYPE_INT, 50);
    struct call_bench *bench = &sheet.bench;
    struct oriel_type text = oriel_type_string();
    struct oriel_expression *word[1], *parts[3];
    assert_int_equal(oriel_expression_cast(&bench->runtime, &bench->arena, column(&sheet, 0), &text,
                                           &word[0], NULL),
                     ORIEL_OK);
    parts[0] = two(bench, "||", word[0], constant_of_text(bench, "STRING", " and a long text"));
    parts[1] = two(bench, "REGEXP", parts[0], constant_of_text(bench, "STRING", "1+"));
    parts[2] = call(bench, "UPPER", 1, parts);
    struct oriel_expression *branches[] = {parts[1], parts[0], parts[2]};
    struct oriel_expression *either = make(bench, ORIEL_EXPRESSION_CASE, text, 3, branches);
    struct oriel_error error = {.status = ORIEL_OK};
    enum oriel_status status = ORIEL_MEMORY;
    size_t failures = 0;
    for (size_t n = 1; status != ORIEL_OK; n++, failures++) {
        const size_t used = bench->memory.used_bytes;
        struct oriel_evaluator *evaluator = NULL;
        const struct oriel_column *out;
        bench->memory.fail_at_call = bench->memory.call_count + n;
        status = oriel_evaluator_open(&bench->runtime, &either, 1, &evaluator, &error);
        if (status == ORIEL_OK)
            status = oriel_evaluator_run(evaluator, &sheet.batch, &out, &error);
        oriel_evaluator_close(&evaluator);
        assert_int_equal(bench->memory.used_bytes, used);
        assert_true(status == ORIEL_OK || status == ORIEL_MEMORY);
        assert_true(n < 200);
    }
    assert_true(failures > 5);
    bench->memory.fail_at_call = 0;
    call_bench_close(bench);
}

static void test_deep_and_wide(void **state) {
    (void)state;
    enum { COUNT = 1000 };
    struct sheet sheet;
    open_sheet(&sheet, ORIEL_TYPE_INT, 7);
    struct call_bench *bench = &sheet.bench;
    struct oriel_expression **parts =
        oriel_arena_allocate_zeroed(&bench->arena, COUNT, sizeof *parts);
    struct oriel_expression *deep = column(&sheet, 0);
    for (size_t i = 0; i < COUNT; i++) {
        parts[i] =
            two(bench, "<", column(&sheet, (uint32_t)(i % 3)), constant_of_text(bench, "INT", "6"));
        deep = two(bench, "+", deep, column(&sheet, 1));
    }
    struct oriel_expression *expressions[] = {
        make(bench, ORIEL_EXPRESSION_AND, oriel_type_make(ORIEL_TYPE_BOOLEAN), COUNT, parts), deep};
    struct oriel_error error = {.status = ORIEL_OK};
    struct oriel_evaluator *evaluator;
    const struct oriel_column *out;
    assert_int_equal(oriel_evaluator_open(&bench->runtime, expressions, 2, &evaluator, &error),
                     ORIEL_OK);
    assert_int_equal(oriel_evaluator_run(evaluator, &sheet.batch, &out, &error), ORIEL_OK);
    for (size_t row = 0; row < ROWS; row++) {
        if (oriel_column_is_null(&out[1], row))
            continue;
        assert_int_equal(((const int32_t *)out[1].values)[row],
                         ((const int32_t *)sheet.columns[0].values)[row] +
                             COUNT * ((const int32_t *)sheet.columns[1].values)[row]);
    }
    oriel_evaluator_close(&evaluator);
    call_bench_close(bench);
}

/* A list of 200 constants against a look at each. */
static void test_long_in_list(void **state) {
    (void)state;
    enum { ITEMS = 200 };
    struct sheet sheet;
    open_sheet(&sheet, ORIEL_TYPE_INT, 1000);
    struct call_bench *bench = &sheet.bench;
    struct oriel_expression *parts[ITEMS + 1];
    parts[0] = column(&sheet, 0);
    for (int i = 1; i <= ITEMS; i++) {
        char digits[16];
        snprintf(digits, sizeof digits, "%d", 7 * i % 1009);
        parts[i] = constant_of_text(bench, "INT", digits);
    }
    struct oriel_expression *in = call(bench, "IN", ITEMS + 1, parts);
    struct oriel_error error = {.status = ORIEL_OK};
    struct oriel_evaluator *evaluator;
    const struct oriel_column *out;
    assert_int_equal(oriel_evaluator_open(&bench->runtime, &in, 1, &evaluator, &error), ORIEL_OK);
    assert_int_equal(oriel_evaluator_run(evaluator, &sheet.batch, &out, &error), ORIEL_OK);
    for (size_t row = 0; row < ROWS; row++) {
        const int32_t value = ((const int32_t *)sheet.columns[0].values)[row];
        bool found = false;
        for (int i = 1; i <= ITEMS; i++)
            found |= value == 7 * i % 1009;
        assert_int_equal(truth_at(out, row),
                         oriel_column_is_null(&sheet.columns[0], row) ? 2 : found);
    }
    oriel_evaluator_close(&evaluator);
    call_bench_close(bench);
}

static void test_seeded_random(void **state) {
    (void)state;
    struct sheet sheet;
    open_sheet(&sheet, ORIEL_TYPE_INT, 7);
    struct oriel_expression *seed = constant_of_text(&sheet.bench, "INT", "5");
    struct oriel_expression *expressions[] = {
        call(&sheet.bench, "RAND", 1, &seed),
        two(&sheet.bench, "RAND_INTEGER", seed, constant_of_text(&sheet.bench, "INT", "10"))};
    struct oriel_error error = {.status = ORIEL_OK};
    struct oriel_evaluator *evaluator;
    const struct oriel_column *out;
    double first[ROWS];
    assert_int_equal(oriel_evaluator_open(&sheet.bench.runtime, expressions, 2, &evaluator, &error),
                     ORIEL_OK);
    assert_int_equal(oriel_evaluator_run(evaluator, &sheet.batch, &out, &error), ORIEL_OK);
    memcpy(first, out[0].values, sizeof first);
    assert_true(first[0] == 0.730519863614471);
    assert_int_equal(((const int32_t *)out[1].values)[0], 7);
    sheet.batch.first_row = 100;
    assert_int_equal(oriel_evaluator_run(evaluator, &sheet.batch, &out, &error), ORIEL_OK);
    assert_memory_equal(out[0].values, &first[100], (ROWS - 100) * sizeof *first);
    oriel_evaluator_close(&evaluator);
    call_bench_close(&sheet.bench);
}

static void test_table(void **state) {
    (void)state;
    const char *before = "";
    size_t count = 0;
    for (const struct oriel_function *f; (f = oriel_function_at(count)); count++) {
        if (strcmp(before, f->name) >= 0)
            fail_msg("%s stands before %s", before, f->name);
        assert_ptr_equal(oriel_function_find(f->name), f);
        before = f->name;
    }
    assert_true(count > 120);
    assert_null(oriel_function_find("FOO"));
    assert_string_equal(oriel_function_suggest("SUBSTRNG"), "SUBSTRING");
    assert_null(oriel_function_suggest("XYZZYXYZZY"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_valued_logic),
        cmocka_unit_test(test_many_constants),
        cmocka_unit_test(test_unreached_parts),
        cmocka_unit_test(test_folding),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_deep_and_wide),
        cmocka_unit_test(test_long_in_list),
        cmocka_unit_test(test_seeded_random),
        cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
