/*
 * IN: true if an item is equal; else NULL if the value or an item is NULL; else false. Items that
 * are all constant are sorted once for each evaluator, so that the cost hardly grows with their
 * number.
 */
#include <stdlib.h>

#include "engine/columns/value.h"
#include "engine/functions/function_table.h"
#include "engine/functions/order.h"
#include "engine/functions/rows.h"

enum { FEW_ITEMS = 8 }; /* so many are compared one by one, a column at a time */

struct item_set {
    size_t count; /* without NULLs */
    size_t value_bytes;
    size_t size_bytes;
    bool has_null;
    _Alignas(16) char values[];
};

static int compare_items(const void *a, const void *b, void *type) {
    return oriel_value_compare(type, a, b);
}

/* Leaves *local NULL when an item is no constant. */
static enum oriel_status open_set(const struct oriel_call *call,
                                  const struct oriel_runtime *runtime, void **local,
                                  struct oriel_error *error) {
    *local = NULL;
    for (uint32_t i = 1; i < call->argument_count; i++) {
        if (!call->constants[i])
            return ORIEL_OK;
    }
    struct oriel_type type = call->argument_types[0];
    const size_t value_bytes = oriel_physical_size(oriel_type_physical(&type));
    const size_t size_bytes = sizeof(struct item_set) + call->argument_count * value_bytes;
    struct item_set *set = oriel_memory_allocate_zeroed(runtime->memory, 1, size_bytes);
    if (!set)
        return oriel_error_memory(error);
    set->value_bytes = value_bytes;
    set->size_bytes = size_bytes;
    for (uint32_t i = 1; i < call->argument_count; i++) {
        if (oriel_column_is_null(call->constants[i], 0))
            set->has_null = true;
        else
            memcpy(set->values + set->count++ * value_bytes, call->constants[i]->values,
                   value_bytes);
    }
    qsort_r(set->values, set->count, value_bytes, compare_items, &type);
    *local = set;
    return ORIEL_OK;
}

static void close_set(const struct oriel_call *call, const struct oriel_runtime *runtime,
                      void *local) {
    (void)call;
    struct item_set *set = local;
    if (set)
        oriel_memory_release(runtime->memory, set, set->size_bytes);
}

static const struct oriel_function_local set_local = {open_set, close_set};

static bool contains(const struct item_set *set, const struct oriel_type *type, const char *value) {
    size_t low = 0, high = set->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const int order = oriel_value_compare(type, value, set->values + middle * set->value_bytes);
        if (order == 0)
            return true;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}

static void find_i32(const struct item_set *set, const int32_t *values, size_t row_count,
                     uint8_t *results) {
    for (size_t i = 0; i < set->count; i++) {
        const int32_t item = ((const int32_t *)(const void *)set->values)[i];
        for (size_t row = 0; row < row_count; row++)
            results[row] |= values[row] == item;
    }
}

static void find_i64(const struct item_set *set, const int64_t *values, size_t row_count,
                     uint8_t *results) {
    for (size_t i = 0; i < set->count; i++) {
        const int64_t item = ((const int64_t *)(const void *)set->values)[i];
        for (size_t row = 0; row < row_count; row++)
            results[row] |= values[row] == item;
    }
}

static void find_rows(const struct item_set *set, const struct oriel_type *type,
                      const struct oriel_evaluation *evaluation, const struct oriel_column *column,
                      size_t row_count, struct oriel_column *out) {
    const enum oriel_physical physical = oriel_type_physical(type);
    uint8_t *results = out->values;
    if (physical == ORIEL_PHYSICAL_I32 && set->count <= FEW_ITEMS) {
        find_i32(set, column->values, row_count, results);
    } else if (physical == ORIEL_PHYSICAL_I64 && set->count <= FEW_ITEMS) {
        find_i64(set, column->values, row_count, results);
    } else {
        const char *values = column->values;
        for (size_t row = 0; row < row_count; row++)
            results[row] = oriel_row_counts(evaluation, out, row) &&
                           contains(set, type, values + row * set->value_bytes);
    }
}

/* A constant item comes as one row; every other one as a column. */
static enum oriel_status item_column(const struct oriel_call *call, uint32_t index,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *argument, size_t row_count,
                                     struct oriel_column *out) {
    if (!call->constants[index]) {
        *out = *argument;
        return ORIEL_OK;
    }
    const size_t value_bytes = oriel_physical_size(oriel_type_physical(&argument->type));
    const size_t word_count = oriel_bits_word_count(row_count) + 1;
    char *values = oriel_arena_allocate(evaluation->batch_arena, 64 * word_count * value_bytes);
    uint64_t *valid = oriel_arena_allocate(evaluation->batch_arena, word_count * sizeof *valid);
    if (!values || !valid)
        return oriel_error_memory(evaluation->error);
    for (size_t row = 0; row < row_count; row++)
        memcpy(values + row * value_bytes, argument->values, value_bytes);
    memset(valid, oriel_column_is_null(argument, 0) ? 0 : 0xff, word_count * sizeof *valid);
    *out = (struct oriel_column){.type = argument->type, .values = values, .valid = valid};
    return ORIEL_OK;
}

static enum oriel_status in_set(const struct item_set *set, const struct oriel_call *call,
                                struct oriel_evaluation *evaluation,
                                const struct oriel_column *arguments, size_t row_count,
                                struct oriel_column *out) {
    const size_t word_count = oriel_bits_word_count(row_count);
    struct oriel_column value;
    ORIEL_TRY(item_column(call, 0, evaluation, &arguments[0], row_count, &value));
    if (value.valid)
        memcpy(out->valid, value.valid, word_count * sizeof *out->valid);
    memset(out->values, 0, row_count);
    find_rows(set, &call->argument_types[0], evaluation, &value, row_count, out);
    for (size_t word = 0; set->has_null && word < word_count; word++)
        out->valid[word] &= oriel_bits_of_block((const uint8_t *)out->values + 64 * word);
    return ORIEL_OK;
}

static enum oriel_status in(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                            const struct oriel_column *arguments, size_t row_count,
                            struct oriel_column *out) {
    if (evaluation->local)
        return in_set(evaluation->local, call, evaluation, arguments, row_count, out);
    const size_t word_count = oriel_bits_word_count(row_count);
    const struct oriel_type *type = &call->argument_types[0];
    uint8_t *results = out->values;
    int8_t *orders = oriel_arena_allocate_zeroed(evaluation->batch_arena, word_count + 1, 64);
    uint64_t *valid = oriel_arena_allocate_zeroed(evaluation->batch_arena, word_count + 1, 8);
    uint64_t *known = oriel_arena_allocate_zeroed(evaluation->batch_arena, word_count + 1, 8);
    if (!orders || !valid || !known)
        return oriel_error_memory(evaluation->error);
    memset(results, 0, row_count);
    memset(known, 0xff, word_count * sizeof *known);
    struct oriel_column value;
    ORIEL_TRY(item_column(call, 0, evaluation, &arguments[0], row_count, &value));
    for (uint32_t i = 1; i < call->argument_count; i++) {
        struct oriel_column item;
        ORIEL_TRY(item_column(call, i, evaluation, &arguments[i], row_count, &item));
        for (size_t word = 0; word < word_count; word++) {
            valid[word] = (value.valid ? value.valid[word] : ~UINT64_C(0)) &
                          (item.valid ? item.valid[word] : ~UINT64_C(0));
            known[word] &= valid[word];
        }
        const struct oriel_column rows = {.valid = valid};
        oriel_order_rows(evaluation, &rows, type, &value, type, &item, row_count, orders);
        for (size_t row = 0; row < row_count; row++)
            results[row] |= (uint8_t)((orders[row] == 0) & oriel_bits_get(valid, row));
    }
    for (size_t row = 0; row < row_count; row++) {
        if (!results[row] && !oriel_bits_get(known, row))
            oriel_bits_clear(out->valid, row);
    }
    return ORIEL_OK;
}

static enum oriel_status bind_in(struct oriel_binding *binding, struct oriel_error *error) {
    if (!oriel_order_unify_arguments(binding))
        return oriel_bind_refuse(binding, "values of comparable types", error);
    /* FLOAT IN (0.1, ...) compares as FLOAT, as in Flink. */
    const bool as_float = binding->argument_types[0].id == ORIEL_TYPE_FLOAT &&
                          binding->casts[0].id == ORIEL_TYPE_DOUBLE;
    for (uint32_t i = 0; as_float && i < binding->argument_count; i++)
        binding->casts[i].id = ORIEL_TYPE_FLOAT;
    return oriel_bind_result(binding, oriel_type_make(ORIEL_TYPE_BOOLEAN), in);
}

static const struct oriel_function rows[] = {
    {"IN", 2, ORIEL_ARGUMENTS_ANY, ORIEL_FUNCTION_UNEXPANDED, bind_in, &set_local},
};

const struct oriel_function_group oriel_functions_compare_in = {rows, sizeof rows / sizeof rows[0]};
