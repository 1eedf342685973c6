/*
 * Comparison with several values: BETWEEN, GREATEST, LEAST. Their NULLs follow from the
 * comparisons they stand for.
 */
#include "engine/functions/function_table.h"
#include "engine/functions/order.h"
#include "engine/functions/rows.h"

static uint64_t valid_word(const struct oriel_column *column, size_t word) {
    return column->valid ? column->valid[word] : ~UINT64_C(0);
}

/* Orders of rows where both are valid; *valid is set to these rows. */
static enum oriel_status order_valid(struct oriel_evaluation *evaluation,
                                     const struct oriel_call *call, const struct oriel_column *a,
                                     const struct oriel_column *b, size_t row_count, int8_t *orders,
                                     uint64_t *valid) {
    const struct oriel_column rows = {.valid = valid};
    for (size_t word = 0; word < oriel_bits_word_count(row_count); word++)
        valid[word] = valid_word(a, word) & valid_word(b, word);
    oriel_order_rows(evaluation, &rows, &call->argument_types[0], a, &call->argument_types[0], b,
                     row_count, orders);
    return ORIEL_OK;
}

struct range_scratch {
    int8_t *low_orders, *high_orders;
    uint64_t *low_valid, *high_valid;
};

static enum oriel_status take_scratch(struct oriel_evaluation *evaluation, size_t row_count,
                                      struct range_scratch *out) {
    const size_t word_count = oriel_bits_word_count(row_count) + 1;
    *out = (struct range_scratch){NULL, NULL, NULL, NULL};
    char *block = oriel_arena_allocate_zeroed(evaluation->batch_arena, word_count, 2 * 64 + 2 * 8);
    if (!block)
        return oriel_error_memory(evaluation->error);
    out->low_valid = (uint64_t *)(void *)block;
    out->high_valid = out->low_valid + word_count;
    out->low_orders = (int8_t *)(out->high_valid + word_count);
    out->high_orders = out->low_orders + 64 * word_count;
    return ORIEL_OK;
}

/* value >= low AND value <= high: false as soon as one is, NULL if one is and none is false. */
static enum oriel_status between(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                                 const struct oriel_column *arguments, size_t row_count,
                                 struct oriel_column *out) {
    struct range_scratch scratch;
    uint8_t *results = out->values;
    ORIEL_TRY(take_scratch(evaluation, row_count, &scratch));
    ORIEL_TRY(order_valid(evaluation, call, &arguments[0], &arguments[1], row_count,
                          scratch.low_orders, scratch.low_valid));
    ORIEL_TRY(order_valid(evaluation, call, &arguments[0], &arguments[2], row_count,
                          scratch.high_orders, scratch.high_valid));
    for (size_t row = 0; row < row_count; row++) {
        const bool low_known = oriel_bits_get(scratch.low_valid, row);
        const bool high_known = oriel_bits_get(scratch.high_valid, row);
        const bool below = low_known && scratch.low_orders[row] < 0;
        const bool above = high_known && scratch.high_orders[row] > 0;
        results[row] = low_known && high_known && !below && !above;
        if (!below && !above && !(low_known && high_known))
            oriel_bits_clear(out->valid, row);
    }
    return ORIEL_OK;
}

/* BETWEEN low AND high OR BETWEEN high AND low; strict, so all rows that count are known. */
static enum oriel_status between_symmetric(const struct oriel_call *call,
                                           struct oriel_evaluation *evaluation,
                                           const struct oriel_column *arguments, size_t row_count,
                                           struct oriel_column *out) {
    struct range_scratch scratch;
    uint8_t *results = out->values;
    ORIEL_TRY(take_scratch(evaluation, row_count, &scratch));
    ORIEL_TRY(order_valid(evaluation, call, &arguments[0], &arguments[1], row_count,
                          scratch.low_orders, scratch.low_valid));
    ORIEL_TRY(order_valid(evaluation, call, &arguments[0], &arguments[2], row_count,
                          scratch.high_orders, scratch.high_valid));
    for (size_t row = 0; row < row_count; row++)
        results[row] = scratch.low_orders[row] * scratch.high_orders[row] <= 0;
    return ORIEL_OK;
}

static enum oriel_status bind_between(struct oriel_binding *binding, struct oriel_error *error) {
    if (!oriel_order_unify_arguments(binding))
        return oriel_bind_refuse(binding, "three values of comparable types", error);
    return oriel_bind_result(binding, oriel_type_make(ORIEL_TYPE_BOOLEAN), between);
}

static enum oriel_status bind_symmetric(struct oriel_binding *binding, struct oriel_error *error) {
    if (!oriel_order_unify_arguments(binding))
        return oriel_bind_refuse(binding, "three values of comparable types", error);
    return oriel_bind_result(binding, oriel_type_make(ORIEL_TYPE_BOOLEAN), between_symmetric);
}

static enum oriel_status extreme(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                                 const struct oriel_column *arguments, size_t row_count,
                                 struct oriel_column *out, int wanted) {
    struct range_scratch scratch;
    const size_t value_bytes = oriel_physical_size(oriel_type_physical(&out->type));
    ORIEL_TRY(take_scratch(evaluation, row_count, &scratch));
    char *values = out->values;
    memcpy(values, arguments[0].values, row_count * value_bytes);
    for (uint32_t i = 1; i < call->argument_count; i++) {
        const char *others = arguments[i].values;
        oriel_order_rows(evaluation, out, &call->argument_types[i], &arguments[i],
                         &call->argument_types[0], out, row_count, scratch.low_orders);
        for (size_t row = 0; row < row_count; row++) {
            if (scratch.low_orders[row] == wanted)
                memcpy(values + row * value_bytes, others + row * value_bytes, value_bytes);
        }
    }
    return ORIEL_OK;
}

static enum oriel_status greatest(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row_count,
                                  struct oriel_column *out) {
    return extreme(call, evaluation, arguments, row_count, out, 1);
}

static enum oriel_status least(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                               const struct oriel_column *arguments, size_t row_count,
                               struct oriel_column *out) {
    return extreme(call, evaluation, arguments, row_count, out, -1);
}

static enum oriel_status bind_extreme(struct oriel_binding *binding, oriel_evaluate *evaluate,
                                      struct oriel_error *error) {
    struct oriel_type type = binding->argument_types[0];
    for (uint32_t i = 1; i < binding->argument_count; i++) {
        if (!oriel_type_unify(&type, &binding->argument_types[i], &type))
            return oriel_bind_refuse(binding, "values of comparable types", error);
    }
    for (uint32_t i = 0; i < binding->argument_count; i++)
        binding->casts[i] = oriel_type_with_null(type, binding->argument_types[i].nullable);
    type.rowtime = false;
    return oriel_bind_result(binding, type, evaluate);
}

static enum oriel_status bind_greatest(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_extreme(binding, greatest, error);
}

static enum oriel_status bind_least(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_extreme(binding, least, error);
}

static const struct oriel_function rows[] = {
    {"BETWEEN", 3, 3, 0, bind_between, NULL},
    {"BETWEEN SYMMETRIC", 3, 3, ORIEL_FUNCTION_STRICT, bind_symmetric, NULL},
    {"GREATEST", 1, ORIEL_ARGUMENTS_ANY, ORIEL_FUNCTION_STRICT, bind_greatest, NULL},
    {"LEAST", 1, ORIEL_ARGUMENTS_ANY, ORIEL_FUNCTION_STRICT, bind_least, NULL},
};

const struct oriel_function_group oriel_functions_compare_set = {rows,
                                                                 sizeof rows / sizeof rows[0]};
