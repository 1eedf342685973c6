/*
 * The callers of aggregates that the tests need, after the manner of the aggregation operator.
 */
#include "tests/unit/functions/aggregate_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PARTS_MAX = 64, PLACE_FIRST = 1000, WORDS_MAX = 64 };

uint64_t next_random(uint64_t *seed) {
    *seed += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t value = *seed;
    value = (value ^ (value >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94D049BB133111EB);
    return value ^ (value >> 31);
}

enum oriel_status aggregate_bind(struct call_bench *bench, const char *name,
                                 const struct aggregate_rows *rows,
                                 struct aggregate_options options,
                                 struct oriel_aggregate_call *call, struct oriel_error *error) {
    struct oriel_type *types =
        oriel_arena_allocate_zeroed(&bench->arena, AGGREGATE_ARGUMENTS_MAX, sizeof *types);
    struct oriel_type *casts =
        oriel_arena_allocate_zeroed(&bench->arena, AGGREGATE_ARGUMENTS_MAX, sizeof *casts);
    assert_true(types && casts);
    for (uint32_t i = 0; i < rows->column_count; i++)
        types[i] = casts[i] = rows->columns[i].type;
    const struct oriel_aggregate *function = oriel_aggregate_find(name);
    assert_non_null(function);
    if (rows->column_count < function->argument_count_min ||
        rows->column_count > function->argument_count_max)
        return ORIEL_INVALID;
    struct oriel_aggregate_binding binding = {.runtime = &bench->runtime,
                                              .statement_arena = &bench->arena,
                                              .position = {1, 8},
                                              .name = name,
                                              .distinct = options.distinct,
                                              .nulls = options.nulls,
                                              .argument_count = rows->column_count,
                                              .argument_types = types,
                                              .constants = rows->constants,
                                              .casts = casts};
    ORIEL_TRY(oriel_aggregate_bind(function, &binding, error));
    *call = (struct oriel_aggregate_call){.function = function,
                                          .position = binding.position,
                                          .result = binding.result,
                                          .argument_count = rows->column_count,
                                          .argument_types = casts,
                                          .filter = -1,
                                          .distinct = options.distinct,
                                          .nulls = options.nulls,
                                          .state = binding.state,
                                          .state_bytes = binding.state_bytes,
                                          .operations = binding.operations};
    return ORIEL_OK;
}

/* The rows that FILTER and NULLs leave: those of `chosen` (NULL: all). */
static void select_rows(const struct oriel_aggregate_call *call, const struct aggregate_rows *rows,
                        const uint64_t *chosen, uint64_t selected[WORDS_MAX]) {
    assert_true(rows->row_count <= WORDS_MAX * 64);
    const bool skips = rows->column_count && (call->function->flags & ORIEL_AGGREGATE_SKIPS_NULLS);
    for (size_t w = 0; w < WORDS_MAX; w++) {
        selected[w] = chosen ? chosen[w] : ~UINT64_C(0);
        if (skips && rows->columns[0].valid && w < oriel_bits_word_count(rows->row_count))
            selected[w] &= rows->columns[0].valid[w];
    }
}

static enum oriel_status update(const struct oriel_aggregate_call *call,
                                struct oriel_aggregation *aggregation,
                                const struct aggregate_rows *rows, const uint64_t *chosen,
                                void *state) {
    uint64_t selected[WORDS_MAX];
    static const uint32_t groups[WORDS_MAX * 64];
    select_rows(call, rows, chosen, selected);
    return call->operations->update(call, aggregation, state, call->state_bytes, groups,
                                    rows->columns, selected, rows->row_count, PLACE_FIRST);
}

static enum oriel_status finish(struct call_bench *bench, const struct oriel_aggregate_call *call,
                                struct oriel_aggregation *aggregation, const void *state,
                                char *out) {
    oriel_u128 values[2] = {0};
    uint64_t valid = ~UINT64_C(0);
    struct oriel_column column = {.type = call->result, .values = values, .valid = &valid};
    struct oriel_text_buffer text;
    ORIEL_TRY(call->operations->finish(call, aggregation, state, call->state_bytes, 1, &column));
    oriel_text_buffer_init(&text, &bench->memory);
    enum oriel_status status = oriel_value_print(&text, &column, 0, NULL);
    if (status == ORIEL_OK)
        snprintf(out, AGGREGATE_RESULT_BYTES, "%.*s", (int)text.length, text.bytes);
    oriel_text_buffer_deinit(&text);
    return status;
}

enum oriel_status aggregate_at_once(struct call_bench *bench,
                                    const struct oriel_aggregate_call *call,
                                    const struct aggregate_rows *rows, char *out,
                                    struct oriel_error *error) {
    struct oriel_arena arena;
    oriel_arena_init(&arena, &bench->memory);
    struct oriel_aggregation aggregation = {&bench->runtime, &arena, error};
    char *state = oriel_arena_allocate_zeroed(&arena, 1, call->state_bytes);
    enum oriel_status status = state ? update(call, &aggregation, rows, NULL, state) : ORIEL_MEMORY;
    if (status == ORIEL_OK)
        status = finish(bench, call, &aggregation, state, out);
    oriel_arena_deinit(&arena);
    return status;
}

/* Puts a saved and loaded copy in the place of a state. */
static enum oriel_status save_and_load(struct call_bench *bench,
                                       const struct oriel_aggregate_call *call,
                                       struct oriel_aggregation *aggregation, char *state) {
    const struct oriel_aggregate_operations *operations = call->operations;
    if (!operations->saved_bytes)
        return ORIEL_OK;
    const size_t size = operations->saved_bytes(call, state);
    char *bytes = oriel_memory_allocate(&bench->memory, size);
    if (!bytes)
        return ORIEL_MEMORY;
    operations->save(call, state, bytes);
    memset(state, 0, call->state_bytes);
    const enum oriel_status status = operations->load(call, aggregation, state, bytes, size);
    oriel_memory_release(&bench->memory, bytes, size);
    return status;
}

enum oriel_status aggregate_in_parts(struct call_bench *bench,
                                     const struct oriel_aggregate_call *call,
                                     const struct aggregate_rows *rows, size_t part_count,
                                     uint64_t seed, char *out, struct oriel_error *error) {
    struct oriel_arena arenas[PARTS_MAX];
    char *states[PARTS_MAX] = {NULL};
    uint64_t chosen[PARTS_MAX][WORDS_MAX] = {{0}};
    enum oriel_status status = ORIEL_OK;
    assert_true(part_count <= PARTS_MAX);
    for (size_t row = 0; row < rows->row_count; row++)
        oriel_bits_set(chosen[next_random(&seed) % part_count], row);
    for (size_t p = 0; p < part_count; p++)
        oriel_arena_init(&arenas[p], &bench->memory);
    for (size_t p = 0; p < part_count && status == ORIEL_OK; p++) {
        struct oriel_aggregation aggregation = {&bench->runtime, &arenas[p], error};
        states[p] = oriel_arena_allocate_zeroed(&arenas[p], 1, call->state_bytes);
        status = states[p] ? update(call, &aggregation, rows, chosen[p], states[p]) : ORIEL_MEMORY;
    }
    size_t left = part_count;
    while (left > 1 && status == ORIEL_OK) {
        const size_t a = next_random(&seed) % left,
                     b = (a + 1 + next_random(&seed) % (left - 1)) % left;
        struct oriel_aggregation aggregation = {&bench->runtime, &arenas[a], error};
        if (next_random(&seed) % 4 == 0)
            status =
                save_and_load(bench, call, &aggregation, states[next_random(&seed) % 2 ? a : b]);
        if (status == ORIEL_OK)
            status = call->operations->merge(call, &aggregation, states[a], states[b]);
        states[b] = states[--left];
    }
    if (status == ORIEL_OK) {
        struct oriel_aggregation aggregation = {&bench->runtime, &arenas[0], error};
        status = finish(bench, call, &aggregation, states[0], out);
    }
    for (size_t p = 0; p < part_count; p++)
        oriel_arena_deinit(&arenas[p]);
    return status;
}

/* One argument: a type and its values. */
static void add_argument(struct call_bench *bench, const char *text, size_t length,
                         struct aggregate_rows *out) {
    char *part = oriel_arena_copy(&bench->arena, text, length);
    const bool fixed = part[0] == '=';
    char *bar = strchr(part, '|');
    assert_non_null(bar);
    *bar = '\0';
    const char *type_text = part + fixed;
    const struct oriel_type type = type_of_text(type_text);
    const size_t size = oriel_physical_size(oriel_type_physical(&type));
    char *values = oriel_arena_allocate_zeroed(&bench->arena, WORDS_MAX, size);
    uint64_t *valid = oriel_arena_allocate_zeroed(&bench->arena, 1, sizeof *valid);
    size_t row = 0;
    for (char *next = bar + 1; next && *next; row++) {
        char *comma = strchr(next, ',');
        if (comma)
            *comma = '\0';
        const struct oriel_expression *value = constant_of_text(bench, type_text, next);
        if (!oriel_column_is_null(&value->constant, 0)) {
            memcpy(values + row * size, value->constant.values, size);
            oriel_bits_set(valid, row);
        }
        next = comma ? comma + 1 : NULL;
    }
    struct oriel_column *column = &out->columns[out->column_count];
    *column = (struct oriel_column){
        .type = oriel_type_with_null(type, true), .values = values, .valid = valid};
    if (fixed)
        out->constants[out->column_count] = column;
    else
        out->row_count = row;
    out->column_count++;
}

void aggregate_rows_of_text(struct call_bench *bench, const char *text,
                            struct aggregate_rows *out) {
    *out = (struct aggregate_rows){0};
    while (*text) {
        const char *end = strchr(text, ';');
        const size_t length = end ? (size_t)(end - text) : strlen(text);
        add_argument(bench, text, length, out);
        text += length + (end != NULL);
    }
}
