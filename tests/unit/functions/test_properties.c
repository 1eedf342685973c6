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
    const struct oriel_column columns = {.type = type, .values = values, .valid = NULL};
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
        columns[c] = (struct oriel_column){.type = type, .values = values, .valid = NULL};
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

/* Values that lie at ends and edges, as type|text. */
static const char *const edges[][2] = {
    {"BOOLEAN", "TRUE"},
    {"TINYINT", "-128"},
    {"SMALLINT", "32767"},
    {"INT", "-2147483648"},
    {"INT", "0"},
    {"INT", "3"},
    {"BIGINT", "-9223372036854775808"},
    {"BIGINT", "9223372036854775807"},
    {"FLOAT", "NaN"},
    {"FLOAT", "3.4e38"},
    {"DOUBLE", "-Infinity"},
    {"DOUBLE", "1.7e308"},
    {"DOUBLE", "-0.5"},
    {"DECIMAL(38,0)", "-99999999999999999999999999999999999999"},
    {"DECIMAL(38,38)", "0.99999999999999999999999999999999999999"},
    {"DECIMAL(5,2)", "-1.25"},
    {"CHAR(3)", "abc"},
    {"STRING", ""},
    {"STRING", "a text of more than twelve bytes, \360\237\230\200"},
    {"STRING", "%_[(\\"},
    {"STRING", "2024-02-30 24:00:00"},
    {"STRING", "yyyy-MM-dd'x' HH:mm:ss.SSSSSSSSS EEEE a"},
    {"STRING", "HOUR"},
    {"STRING", "MILLENNIUM"},
    {"BYTES", "\303\251"},
    {"DATE", "0001-01-01"},
    {"DATE", "9999-12-31"},
    {"TIME(3)", "23:59:59.999"},
    {"TIMESTAMP(3)", "1969-12-31 23:59:59.999"},
    {"TIMESTAMP(9)", "9999-12-31 23:59:59.999999999"},
    {"TIMESTAMP_LTZ(3)", "2024-03-10 02:30:00"},
    {"INTERVAL_DAY", "-9223372036854775808"},
    {"INTERVAL_DAY", "86400000"},
    {"INTERVAL_YEAR", "2147483647"},
    {"INTERVAL_YEAR", "-1"},
    {"NULL", "NULL"},
    {"STRING", "NULL"},
    {"DOUBLE", "NULL"},
};

enum { EDGES = sizeof edges / sizeof edges[0], TRIES = 300, ARGUMENTS = 4, TRY_ROWS = 65 };

static void run_any(struct call_bench *bench, struct oriel_expression *call,
                    const struct oriel_batch *batch) {
    struct oriel_error error = {.status = ORIEL_OK};
    struct oriel_evaluator *evaluator;
    const struct oriel_column *out;
    if (oriel_evaluator_open(&bench->runtime, &call, 1, &evaluator, &error) != ORIEL_OK)
        return;
    struct oriel_text_buffer buffer;
    oriel_text_buffer_init(&buffer, &bench->memory);
    if (oriel_evaluator_run(evaluator, batch, &out, &error) == ORIEL_OK) {
        assert_true(oriel_type_same(&out->type, &call->type));
        for (size_t row = 0; row < batch->row_count; row++)
            assert_int_equal(oriel_value_print(&buffer, out, row, bench->zone), ORIEL_OK);
    } else {
        assert_true(error.status == ORIEL_RUNTIME || error.status == ORIEL_INVALID);
        assert_true(error.message[0] != '\0');
    }
    oriel_text_buffer_deinit(&buffer);
    oriel_evaluator_close(&evaluator);
}

/* Arguments of any types: columns of one value and NULLs, or constants. */
static void try_call(struct call_bench *bench, const struct oriel_function *function) {
    struct oriel_column columns[ARGUMENTS];
    struct oriel_expression *arguments[ARGUMENTS], *call;
    const unsigned least = function->argument_count_min;
    const unsigned most =
        function->argument_count_max < ARGUMENTS ? function->argument_count_max : ARGUMENTS;
    const uint32_t count = (uint32_t)(least + next_random() % (most - least + 1));
    for (uint32_t i = 0; i < count; i++) {
        static const char *const units[][2] = {
            {"STRING", "MONTH"}, {"STRING", "DAY"}, {"STRING", "WEEK"}, {"STRING", "YEAR"}};
        const bool unit = i == 0 && (strcmp(function->name, "EXTRACT") == 0 ||
                                     strncmp(function->name, "TIMESTAMP", 9) == 0);
        const char *const *edge = unit ? units[next_random() % 4] : edges[next_random() % EDGES];
        struct oriel_expression *constant = constant_of_text(bench, edge[0], edge[1]);
        const size_t size = oriel_physical_size(oriel_type_physical(&constant->type));
        char *values = oriel_arena_allocate_zeroed(&bench->arena, 256, size);
        uint64_t *valid = oriel_arena_allocate_zeroed(&bench->arena, 4, 8);
        for (size_t row = 0; row < TRY_ROWS; row++) {
            memcpy(values + row * size, constant->constant.values, size);
            if (row % 3 && !oriel_column_is_null(&constant->constant, 0))
                oriel_bits_set(valid, row);
        }
        const struct oriel_type type = oriel_type_with_null(constant->type, true);
        columns[i] = (struct oriel_column){.type = type, .values = values, .valid = valid};
        arguments[i] = unit || next_random() % 2 ? constant : column_of(bench, i, type);
    }
    const struct oriel_type target = type_of_text(edges[next_random() % (EDGES - 3)][0]);
    struct oriel_error error = {.status = ORIEL_OK};
    if (oriel_expression_call(&bench->runtime, &bench->arena, function->name,
                              (struct oriel_position){1, 1}, arguments, count, &target, &call,
                              &error) != ORIEL_OK) {
        if (error.status == ORIEL_UNSUPPORTED) {
            assert_non_null(strstr(error.message, function->name));
            return;
        }
        assert_true(error.status == ORIEL_INVALID || error.status == ORIEL_RUNTIME);
        assert_null(strstr(error.message, "not supported"));
        return;
    }
    const struct oriel_batch batch = {
        .row_count = TRY_ROWS, .column_count = count, .columns = columns};
    run_any(bench, call, &batch);
}

static void test_any_arguments(void **state) {
    (void)state;
    for (size_t i = 0; oriel_function_at(i); i++) {
        struct call_bench bench;
        call_bench_open(&bench, "America/New_York");
        for (int n = 0; n < TRIES; n++)
            try_call(&bench, oriel_function_at(i));
        call_bench_close(&bench);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_casts_round_trip),
        cmocka_unit_test(test_comparison_is_the_order),
        cmocka_unit_test(test_any_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
