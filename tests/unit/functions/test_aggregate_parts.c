/*
 * Aggregates over random rows that are split, spilled and merged at random give what one pass
 * gives; also when an allocation fails, nothing leaks and the error says so.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/functions/aggregate_case.h"

static struct call_bench bench;
static char whole[AGGREGATE_RESULT_BYTES], parts[AGGREGATE_RESULT_BYTES];

enum { ROWS_MAX = 300, TYPES_MAX = 24, ROUNDS = 12, NESTED_FIELDS = 2 };

static struct oriel_field element, row_fields[NESTED_FIELDS], map_fields[2];

static size_t list_types(struct oriel_type types[TYPES_MAX]) {
    static const char *const texts[] = {
        "BOOLEAN", "TINYINT",       "SMALLINT",      "INT",          "BIGINT",      "FLOAT",
        "DOUBLE",  "DECIMAL(10,2)", "DECIMAL(38,5)", "CHAR(5)",      "STRING",      "BYTES",
        "DATE",    "TIME",          "TIMESTAMP(3)",  "TIMESTAMP(9)", "INTERVAL_DAY"};
    size_t count = 0;
    for (; count < sizeof texts / sizeof texts[0]; count++)
        types[count] = type_of_text(texts[count]);
    element.type = type_of_text("STRING");
    row_fields[0] = (struct oriel_field){"a", type_of_text("INT")};
    row_fields[1] = (struct oriel_field){"b", type_of_text("DOUBLE")};
    map_fields[0].type = type_of_text("STRING");
    map_fields[1].type = type_of_text("INT");
    struct oriel_type *nested = &types[count];
    nested[0] = oriel_type_make(ORIEL_TYPE_ARRAY);
    nested[0].field_count = 1;
    nested[0].fields = &element;
    nested[1] = oriel_type_make(ORIEL_TYPE_ROW);
    nested[1].field_count = NESTED_FIELDS;
    nested[1].fields = row_fields;
    nested[2] = oriel_type_make(ORIEL_TYPE_MAP);
    nested[2].field_count = 2;
    nested[2].fields = map_fields;
    return count + 3;
}

static int open_bench(void **state) {
    (void)state;
    call_bench_open(&bench, "UTC");
    return 0;
}

static int close_bench(void **state) {
    (void)state;
    call_bench_close(&bench);
    return 0;
}

/* Random rows for an aggregate of the first argument; further arguments as it wants them. */
static struct aggregate_rows make_rows(const struct oriel_aggregate *aggregate,
                                       struct oriel_type type, size_t row_count, uint64_t *seed) {
    static struct oriel_column constant;
    struct aggregate_rows rows = {.column_count = 1, .row_count = row_count};
    rows.columns[0] = random_column(&bench, type, row_count, seed);
    if (strcmp(aggregate->name, "PERCENTILE") == 0) {
        constant = constant_of_text(&bench, "DOUBLE", "0.3")->constant;
        rows.columns[1] = constant;
        rows.constants[1] = &constant;
        rows.column_count = 2;
        if (next_random(seed) % 2) {
            rows.columns[2] = random_column(&bench, type_of_text("BIGINT"), row_count, seed);
            rows.column_count = 3;
        }
    } else if (strcmp(aggregate->name, "JSON_OBJECTAGG") == 0) {
        rows.columns[1] = rows.columns[0];
        rows.columns[0] = random_column(&bench, type_of_text("STRING"), row_count, seed);
        rows.column_count = 2;
    }
    return rows;
}

/* Both ways fail alike, or give the same. */
static void check(const struct oriel_aggregate *aggregate, const struct oriel_aggregate_call *call,
                  const struct aggregate_rows *rows, struct oriel_type type, uint64_t seed) {
    struct oriel_error error = {.status = ORIEL_OK}, other = {.status = ORIEL_OK};
    char type_text[64];
    const size_t part_count = 1 + next_random(&seed) % 50;
    const enum oriel_status status = aggregate_at_once(&bench, call, rows, whole, &error);
    const enum oriel_status again =
        aggregate_in_parts(&bench, call, rows, part_count, seed, parts, &other);
    oriel_type_print(&type, false, type_text, sizeof type_text);
    if (status != again || (status == ORIEL_OK && strcmp(whole, parts) != 0))
        fail_msg("%s(%s%s) of %zu rows in %zu parts, seed %llu: %d [%.200s] %d [%.200s]",
                 aggregate->name, call->distinct ? "DISTINCT " : "", type_text, rows->row_count,
                 part_count, (unsigned long long)seed, status, whole, again, parts);
}

static void check_all(bool distinct, size_t wanted) {
    struct oriel_type types[TYPES_MAX];
    const size_t type_count = list_types(types);
    uint64_t seed = distinct;
    size_t bound = 0;
    for (size_t a = 0; oriel_aggregate_at(a); a++) {
        const struct oriel_aggregate *aggregate = oriel_aggregate_at(a);
        for (size_t t = 0; t < type_count; t++) {
            for (unsigned round = 0; round < ROUNDS; round++) {
                const size_t row_count = round < 2 ? round : next_random(&seed) % ROWS_MAX;
                struct oriel_aggregate_call call;
                struct oriel_error error = {.status = ORIEL_OK};
                const struct aggregate_rows rows = make_rows(aggregate, types[t], row_count, &seed);
                const struct aggregate_options options = {
                    distinct, (enum oriel_aggregate_nulls)(next_random(&seed) % 3)};
                if (aggregate_bind(&bench, aggregate->name, &rows, options, &call, &error) !=
                    ORIEL_OK)
                    break;
                bound += round == 0;
                check(aggregate, &call, &rows, types[t], next_random(&seed));
            }
        }
    }
    assert_true(bound >= wanted);
}

static void test_parts(void **state) {
    (void)state;
    check_all(false, 200);
}

static void test_distinct_parts(void **state) {
    (void)state;
    check_all(true, 150);
}

/* Runs until no allocation fails any more. */
static void check_memory(const struct oriel_aggregate_call *call, const struct aggregate_rows *rows,
                         uint64_t seed) {
    struct oriel_error error = {.status = ORIEL_OK};
    const enum oriel_status wanted = aggregate_in_parts(&bench, call, rows, 5, seed, whole, &error);
    const size_t used = bench.memory.used_bytes;
    for (size_t n = 1;; n++) {
        struct oriel_error failed = {.status = ORIEL_OK};
        bench.memory.fail_at_call = bench.memory.call_count + n;
        const enum oriel_status status =
            aggregate_in_parts(&bench, call, rows, 5, seed, parts, &failed);
        const bool happened = bench.memory.call_count >= bench.memory.fail_at_call;
        bench.memory.fail_at_call = 0;
        assert_int_equal(bench.memory.used_bytes, used);
        if (!happened) {
            assert_int_equal(status, wanted);
            break;
        }
        assert_int_equal(status, ORIEL_MEMORY);
    }
}

static void test_memory(void **state) {
    (void)state;
    struct oriel_type types[TYPES_MAX];
    const size_t type_count = list_types(types);
    uint64_t seed = 7;
    for (size_t a = 0; oriel_aggregate_at(a); a++) {
        for (size_t t = 0; t < 2 * type_count; t++) {
            struct oriel_aggregate_call call;
            struct oriel_error error = {.status = ORIEL_OK};
            const struct aggregate_rows rows =
                make_rows(oriel_aggregate_at(a), types[t / 2], 200, &seed);
            const struct aggregate_options options = {t % 2, ORIEL_AGGREGATE_NULLS_DEFAULT};
            if (aggregate_bind(&bench, oriel_aggregate_at(a)->name, &rows, options, &call,
                               &error) == ORIEL_OK)
                check_memory(&call, &rows, next_random(&seed));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_parts, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(test_distinct_parts, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(test_memory, open_bench, close_bench),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
