/*
 * Builds the expressions of a case with CAST and the function itself, runs them, prints the value.
 */
#include "tests/unit/functions/call_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/base/zone.h"
#include "kernels/kernels.h"

enum { ARGUMENTS_MAX = 8, ROWS = 3, TEXT_BYTES = 512 };

void call_bench_open(struct call_bench *bench, const char *zone) {
    struct oriel_error error = {.status = ORIEL_OK};
    memset(bench, 0, sizeof *bench);
    oriel_arena_init(&bench->arena, &bench->memory);
    assert_int_equal(oriel_zone_open(&bench->memory, zone, &bench->zone, &error), ORIEL_OK);
    bench->runtime = (struct oriel_runtime){.memory = &bench->memory,
                                            .kernels = oriel_isa_best(0)->kernels,
                                            .thread_count = 1,
                                            .batch_rows = 128,
                                            .start_ms = 1709210096789,
                                            .zone = bench->zone};
}

void call_bench_close(struct call_bench *bench) {
    oriel_zone_close(&bench->zone);
    oriel_arena_deinit(&bench->arena);
    assert_int_equal(bench->memory.used_bytes, 0);
}

struct oriel_type type_of_text(const char *text) {
    static const struct {
        const char *name;
        enum oriel_type_id id;
        int parameter; /* when none is written */
    } names[] = {
        {"NULL", ORIEL_TYPE_NULL, 0},
        {"BOOLEAN", ORIEL_TYPE_BOOLEAN, 0},
        {"TINYINT", ORIEL_TYPE_TINYINT, 0},
        {"SMALLINT", ORIEL_TYPE_SMALLINT, 0},
        {"INT", ORIEL_TYPE_INT, 0},
        {"BIGINT", ORIEL_TYPE_BIGINT, 0},
        {"FLOAT", ORIEL_TYPE_FLOAT, 0},
        {"DOUBLE", ORIEL_TYPE_DOUBLE, 0},
        {"DECIMAL", ORIEL_TYPE_DECIMAL, 10},
        {"CHAR", ORIEL_TYPE_CHAR, 1},
        {"VARCHAR", ORIEL_TYPE_VARCHAR, 1},
        {"STRING", ORIEL_TYPE_VARCHAR, ORIEL_LENGTH_MAX},
        {"BINARY", ORIEL_TYPE_BINARY, 1},
        {"VARBINARY", ORIEL_TYPE_VARBINARY, 1},
        {"BYTES", ORIEL_TYPE_VARBINARY, ORIEL_LENGTH_MAX},
        {"DATE", ORIEL_TYPE_DATE, 0},
        {"TIME", ORIEL_TYPE_TIME, 0},
        {"TIMESTAMP", ORIEL_TYPE_TIMESTAMP, 6},
        {"TIMESTAMP_LTZ", ORIEL_TYPE_TIMESTAMP_LTZ, 6},
        {"INTERVAL_DAY", ORIEL_TYPE_INTERVAL_DAY, 0},
        {"INTERVAL_YEAR", ORIEL_TYPE_INTERVAL_YEAR, 0},
    };
    const size_t length = strcspn(text, "(");
    int first = -1, second = 0;
    if (text[length])
        sscanf(text + length, "(%d,%d)", &first, &second);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strlen(names[i].name) != length || strncmp(names[i].name, text, length) != 0)
            continue;
        struct oriel_type type = oriel_type_make(names[i].id);
        const int parameter = first < 0 ? names[i].parameter : first;
        type.length = parameter;
        type.precision = (uint8_t)(parameter <= 38 ? parameter : 0);
        type.scale = (uint8_t)second;
        return type;
    }
    fail_msg("no type %s", text);
    return oriel_type_make(ORIEL_TYPE_NULL);
}

static struct oriel_expression *constant(struct call_bench *bench, struct oriel_type type,
                                         const void *value, size_t value_bytes) {
    struct oriel_expression *out = oriel_arena_allocate_zeroed(&bench->arena, 1, sizeof *out);
    void *values = oriel_arena_allocate_zeroed(&bench->arena, 1, 16);
    uint64_t *valid = oriel_arena_allocate_zeroed(&bench->arena, 1, sizeof *valid);
    if (value) {
        memcpy(values, value, value_bytes);
        *valid = 1;
    }
    type.nullable = !value;
    *out = (struct oriel_expression){
        .kind = ORIEL_EXPRESSION_CONSTANT,
        .type = type,
        .constant = {.type = type, .values = values, .valid = valid},
    };
    return out;
}

struct oriel_expression *constant_of_text(struct call_bench *bench, const char *type_text,
                                          const char *text) {
    struct oriel_type type = type_of_text(type_text);
    if (strcmp(text, "NULL") == 0)
        return constant(bench, type, NULL, 0);
    if (type.id == ORIEL_TYPE_INTERVAL_DAY) {
        const int64_t ms = strtoll(text, NULL, 10);
        return constant(bench, type, &ms, sizeof ms);
    }
    if (type.id == ORIEL_TYPE_INTERVAL_YEAR) {
        const int32_t months = (int32_t)strtol(text, NULL, 10);
        return constant(bench, type, &months, sizeof months);
    }
    const char *bytes = oriel_arena_copy(&bench->arena, text, strlen(text));
    struct oriel_string string = oriel_string_make(bytes, strlen(text));
    struct oriel_expression *out = constant(bench, oriel_type_string(), &string, sizeof string);
    struct oriel_error error = {.status = ORIEL_OK};
    type.nullable = false;
    if (oriel_expression_cast(&bench->runtime, &bench->arena, out, &type, &out, &error) != ORIEL_OK)
        fail_msg("argument %s|%s: %s", type_text, text, error.message);
    return out;
}

struct oriel_expression *column_of(struct call_bench *bench, uint32_t column,
                                   struct oriel_type type) {
    struct oriel_expression *out = oriel_arena_allocate_zeroed(&bench->arena, 1, sizeof *out);
    *out =
        (struct oriel_expression){.kind = ORIEL_EXPRESSION_COLUMN, .type = type, .column = column};
    return out;
}

struct parsed {
    uint32_t count;
    struct oriel_expression *constants[ARGUMENTS_MAX];
    bool stays_constant[ARGUMENTS_MAX];
};

static void parse(struct call_bench *bench, const char *text, struct parsed *out) {
    out->count = 0;
    while (*text) {
        const char *end = strchr(text, ';');
        const size_t length = end ? (size_t)(end - text) : strlen(text);
        char *part = oriel_arena_copy(&bench->arena, text, length);
        const bool word = part[0] == '\'';
        const char *type = "STRING", *value = part + 1;
        if (word) {
            part[length - 1] = '\0';
        } else {
            char *bar = strchr(part, '|');
            *bar = '\0';
            type = part[0] == '=' ? part + 1 : part;
            value = bar + 1;
        }
        out->stays_constant[out->count] = word || part[0] == '=';
        out->constants[out->count++] = constant_of_text(bench, type, value);
        text += length + (end != NULL);
    }
}

/* Prints row `row` of the first expression over `batch`. */
static void run(struct call_bench *bench, struct oriel_expression *expression,
                const struct oriel_batch *batch, char out[][TEXT_BYTES],
                struct oriel_error *error) {
    struct oriel_evaluator *evaluator;
    const struct oriel_column *columns;
    if (oriel_evaluator_open(&bench->runtime, &expression, 1, &evaluator, error) != ORIEL_OK)
        return;
    struct oriel_text_buffer buffer;
    oriel_text_buffer_init(&buffer, &bench->memory);
    if (oriel_evaluator_run(evaluator, batch, &columns, error) == ORIEL_OK) {
        for (size_t row = 0; row < batch->row_count; row++) {
            buffer.length = 0;
            if (oriel_value_print(&buffer, &columns[0], row, bench->zone) != ORIEL_OK) {
                assert_true(bench->failing_call > 0);
                error->status = ORIEL_MEMORY;
                break;
            }
            snprintf(out[row], TEXT_BYTES, "%.*s", (int)buffer.length, buffer.bytes);
        }
    }
    oriel_text_buffer_deinit(&buffer);
    oriel_evaluator_close(&evaluator);
}

/* Columns of value, NULL, value; the middle row only for strict functions. */
static void run_columns(struct call_bench *bench, const struct call_case *test,
                        const struct parsed *parsed, const struct oriel_type *target,
                        char out[][TEXT_BYTES], bool *strict, struct oriel_error *error) {
    struct oriel_column columns[ARGUMENTS_MAX];
    struct oriel_expression *arguments[ARGUMENTS_MAX], *call;
    uint64_t *valid = oriel_arena_allocate_zeroed(&bench->arena, ARGUMENTS_MAX, 128);
    *strict = false;
    for (uint32_t i = 0; i < parsed->count; i++) {
        const struct oriel_expression *from = parsed->constants[i];
        if (parsed->stays_constant[i]) {
            arguments[i] = parsed->constants[i];
            continue;
        }
        char *values = oriel_arena_allocate_zeroed(&bench->arena, 256, 16);
        const size_t size = oriel_physical_size(oriel_type_physical(&from->type));
        const bool is_null = oriel_column_is_null(&from->constant, 0);
        for (size_t row = 0; row < ROWS; row += 2)
            memcpy(values + row * size, from->constant.values, size);
        valid[16 * i] = is_null ? 0 : 5;
        struct oriel_type type = oriel_type_with_null(from->type, true);
        columns[i] = (struct oriel_column){.type = type, .values = values, .valid = &valid[16 * i]};
        arguments[i] = column_of(bench, i, type);
        *strict = true;
    }
    const struct oriel_function *function = oriel_function_find(test->name);
    *strict = *strict && (function->flags & ORIEL_FUNCTION_STRICT);
    if (bench->failing_call)
        bench->memory.fail_at_call = bench->memory.call_count + bench->failing_call;
    if (oriel_expression_call(&bench->runtime, &bench->arena, test->name,
                              (struct oriel_position){1, 8}, arguments, parsed->count, target,
                              &call, error) != ORIEL_OK)
        return;
    const struct oriel_batch batch = {
        .row_count = ROWS, .column_count = parsed->count, .columns = columns};
    run(bench, call, &batch, out, error);
}

static void expect(const struct call_case *test, const char *how, const char *got,
                   const struct oriel_error *error) {
    const bool wants_error = test->result[0] == '!';
    if (wants_error ? error->status != ORIEL_OK && strstr(error->message, test->result + 1)
                    : error->status == ORIEL_OK && strcmp(got, test->result) == 0)
        return;
    fail_msg("%s(%s) %s: got [%s] %s, expected [%s]", test->name, test->arguments, how, got,
             error->message, test->result);
}

void call_case_check(struct call_bench *bench, const struct call_case *test) {
    struct parsed parsed;
    struct oriel_expression *call = NULL;
    struct oriel_error error = {.status = ORIEL_OK};
    char values[ROWS][TEXT_BYTES] = {"", "", ""};
    struct oriel_type target;
    const bool is_cast = strcmp(test->name, "CAST") == 0 || strcmp(test->name, "TRY_CAST") == 0;
    assert_non_null(oriel_function_find(test->name));
    parse(bench, test->arguments, &parsed);
    if (is_cast) {
        target = type_of_text(test->type);
        target.nullable = false;
    }
    if (oriel_expression_call(&bench->runtime, &bench->arena, test->name,
                              (struct oriel_position){1, 8}, parsed.constants, parsed.count,
                              is_cast ? &target : NULL, &call, &error) == ORIEL_OK) {
        char type[160];
        oriel_type_print(&call->type, true, type, sizeof type);
        if (test->type && !is_cast && strcmp(type, test->type) != 0)
            fail_msg("%s(%s) has type %s, expected %s", test->name, test->arguments, type,
                     test->type);
        const struct oriel_batch batch = {.row_count = 1};
        run(bench, call, &batch, values, &error);
    }
    expect(test, "of constants", values[0], &error);
    bool strict;
    error = (struct oriel_error){.status = ORIEL_OK};
    memset(values, 0, sizeof values);
    run_columns(bench, test, &parsed, is_cast ? &target : NULL, values, &strict, &error);
    expect(test, "of columns", values[0], &error);
    if (error.status == ORIEL_OK) {
        expect(test, "in the third row", values[2], &error);
        if (strict && strcmp(values[1], "<NULL>") != 0)
            fail_msg("%s(%s): NULL gives %s", test->name, test->arguments, values[1]);
    }
}

void call_cases_check(const struct call_case *tests, size_t count, const char *zone) {
    struct call_bench bench;
    call_bench_open(&bench, zone);
    for (size_t i = 0; i < count; i++)
        call_case_check(&bench, &tests[i]);
    call_bench_close(&bench);
}

/* Binds and runs a case of columns whose allocation number `failing` fails. */
static enum oriel_status fail_once(const struct call_case *test, size_t failing) {
    struct call_bench bench;
    struct parsed parsed;
    struct oriel_error error = {.status = ORIEL_OK};
    char values[ROWS][TEXT_BYTES] = {"", "", ""};
    bool strict;
    call_bench_open(&bench, "UTC");
    parse(&bench, test->arguments, &parsed);
    bench.failing_call = failing;
    run_columns(&bench, test, &parsed, NULL, values, &strict, &error);
    bench.memory.fail_at_call = 0;
    call_bench_close(&bench);
    return error.status;
}

void call_cases_fail(const struct call_case *tests, size_t count) {
    enum { CALLS_MAX = 200 };
    for (size_t i = 0; i < count; i++) {
        const enum oriel_status wanted = fail_once(&tests[i], CALLS_MAX);
        size_t failing = 1;
        for (; failing < CALLS_MAX && fail_once(&tests[i], failing) == ORIEL_MEMORY; failing++)
            ;
        if (failing == 1 || failing == CALLS_MAX || fail_once(&tests[i], failing) != wanted)
            fail_msg("%s(%s): allocation %zu", tests[i].name, tests[i].arguments, failing);
    }
}
