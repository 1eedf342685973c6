/*
 * Properties over random values: casts to text and back, comparison against the order of columns.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "engine/base/decimal.h"
#include "tests/unit/functions/call_case.h"

enum { ROWS = 2000 };

static uint64_t random_state = 88172645463325252u;

static uint64_t next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* Any value that the type can have, small and extreme ones often. */
static void fill(const struct oriel_type *type, void *values, size_t row) {
    const uint64_t bits = next_random() >> (next_random() % 64);
    const int64_t value = next_random() % 2 ? (int64_t)bits : (int64_t)-bits;
    switch (type->id) {
    case ORIEL_TYPE_DECIMAL: {
        const oriel_i128 limit = oriel_decimal_power(type->precision);
        const oriel_i128 wide = (oriel_i128)value * (int64_t)(next_random() >> 32);
        ((oriel_i128 *)values)[row] = wide % limit;
        break;
    }
    case ORIEL_TYPE_DATE: ((int32_t *)values)[row] = (int32_t)(value % 700000); break;
    case ORIEL_TYPE_TIME: ((int32_t *)values)[row] = (int32_t)(bits % 86400000); break;
    case ORIEL_TYPE_TIMESTAMP:
        if (type->precision <= 3)
            ((int64_t *)values)[row] = value % 60000000000000;
        else
            ((oriel_i128 *)values)[row] =
                (oriel_i128)(value % 60000000000000) * 1000000 + (int64_t)(bits % 1000000);
        break;
    default: {
        const size_t size = oriel_physical_size(oriel_type_physical(type));
        memcpy((char *)values + row * size, &value, size);
    }
    }
}

static void check_round_trip(struct call_bench *bench, const char *type_text) {
    struct oriel_error error = {.status = ORIEL_OK};
    struct oriel_type type = type_of_text(type_text), text = oriel_type_string();
    const size_t size = oriel_physical_size(oriel_type_physical(&type));
    char *values = oriel_arena_allocate_zeroed(&bench->arena, ROWS + 64, size);
    for (size_t row = 0; row < ROWS; row++)
        fill(&type, values, row);
    type.nullable = false;
    struct oriel_expression *column = column_of(bench, 0, type), *out;
    assert_int_equal(
        oriel_expression_cast(&bench->runtime, &bench->arena, column, &text, &out, &error),
        ORIEL_OK);
    assert_int_equal(
        oriel_expression_cast(&bench->runtime, &bench->arena, out, &type, &out, &error), ORIEL_OK);
    struct oriel_evaluator *evaluator;
    const struct oriel_column *result;
    const struct oriel_column columns = {type, values, NULL};
    const struct oriel_batch batch = {.row_count = ROWS, .column_count = 1, .columns = &columns};
    assert_int_equal(oriel_evaluator_open(&bench->runtime, &out, 1, &evaluator, &error), ORIEL_OK);
    if (oriel_evaluator_run(evaluator, &batch, &result, &error) != ORIEL_OK)
        fail_msg("%s: %s", type_text, error.message);
    for (size_t row = 0; row < ROWS; row++) {
        if (oriel_column_is_null(result, row) ||
            oriel_column_compare(&columns, row, result, row) != 0)
            fail_msg("%s differs in row %zu", type_text, row);
    }
    oriel_evaluator_close(&evaluator);
}

static void test_casts_round_trip(void **state) {
    (void)state;
    static const char *const types[] = {
        "TINYINT", "SMALLINT",      "INT",           "BIGINT",         "FLOAT",
        "DOUBLE",  "DECIMAL(10,2)", "DECIMAL(38,0)", "DECIMAL(38,38)", "DATE",
        "TIME(3)", "TIMESTAMP(3)",  "TIMESTAMP(9)",
    };
    struct call_bench bench;
    call_bench_open(&bench, "UTC");
    bench.runtime.batch_rows = ROWS;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        check_round_trip(&bench, types[i]);
    call_bench_close(&bench);
}

static void check_comparison(struct call_bench *bench, const char *type_text) {
    static const char *const names[] = {"<", "=", ">", "<=", "<>", ">="};
    static const unsigned holds[] = {1, 2, 4, 3, 5, 6};
    struct oriel_error error = {.status = ORIEL_OK};
    struct oriel_type type = type_of_text(type_text);
    const size_t size = oriel_physical_size(oriel_type_physical(&type));
    struct oriel_column columns[2];
    for (size_t c = 0; c < 2; c++) {
        char *values = oriel_arena_allocate_zeroed(&bench->arena, ROWS + 64, size);
        for (size_t row = 0; row < ROWS; row++)
            fill(&type, values, row);
        if (c == 1)
            memcpy(values, columns[0].values, ROWS / 4 * size);
        columns[c] = (struct oriel_column){type, values, NULL};
    }
    struct oriel_expression *sides[] = {column_of(bench, 0, type), column_of(bench, 1, type)};
    const struct oriel_batch batch = {.row_count = ROWS, .column_count = 2, .columns = columns};
    for (size_t i = 0; i < 6; i++) {
        struct oriel_expression *out;
        struct oriel_evaluator *evaluator;
        const struct oriel_column *result;
        assert_int_equal(oriel_expression_call(&bench->runtime, &bench->arena, names[i],
                                               (struct oriel_position){1, 1}, sides, 2, NULL, &out,
                                               &error),
                         ORIEL_OK);
        assert_int_equal(oriel_evaluator_open(&bench->runtime, &out, 1, &evaluator, &error),
                         ORIEL_OK);
        assert_int_equal(oriel_evaluator_run(evaluator, &batch, &result, &error), ORIEL_OK);
        for (size_t row = 0; row < ROWS; row++) {
            const int order = oriel_column_compare(&columns[0], row, &columns[1], row);
            const unsigned place = order < 0 ? 0 : order == 0 ? 1 : 2;
            if (((const uint8_t *)result->values)[row] != ((holds[i] >> place) & 1))
                fail_msg("%s of %s differs in row %zu", names[i], type_text, row);
        }
        oriel_evaluator_close(&evaluator);
    }
}

static void test_comparison_is_the_order(void **state) {
    (void)state;
    static const char *const types[] = {
        "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL(20,5)", "TIMESTAMP(9)",
    };
    struct call_bench bench;
    call_bench_open(&bench, "UTC");
    bench.runtime.batch_rows = ROWS;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        check_comparison(&bench, types[i]);
    call_bench_close(&bench);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_casts_round_trip),
        cmocka_unit_test(test_comparison_is_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
