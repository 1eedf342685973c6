/*
 * MIN and MAX of numbers, dates and times. NaN is the largest number; of 0.0 and -0.0, which are
 * equal, the result is 0.0 whatever came first.
 */
#include <math.h>

#include "engine/functions/aggregate_extreme.h"
#include "engine/functions/aggregate_table.h"

struct integer_state {
    int64_t value;
    int64_t seen;
};

struct wide_state {
    oriel_i128 value;
    int64_t seen;
};

struct float_state {
    double value;
    int64_t seen;
};

_Static_assert(sizeof(struct integer_state) == ORIEL_EXTREME_INTEGER_BYTES, "as declared");
_Static_assert(sizeof(struct wide_state) == ORIEL_EXTREME_WIDE_BYTES, "as declared");
_Static_assert(sizeof(struct float_state) == ORIEL_EXTREME_FLOAT_BYTES, "as declared");

static int64_t integer_at(const struct oriel_column *column, enum oriel_physical physical,
                          size_t row) {
    switch (physical) {
    case ORIEL_PHYSICAL_I8: return ((const int8_t *)column->values)[row];
    case ORIEL_PHYSICAL_I16: return ((const int16_t *)column->values)[row];
    case ORIEL_PHYSICAL_I32: return ((const int32_t *)column->values)[row];
    default: return ((const int64_t *)column->values)[row];
    }
}

static void integer_take(bool max, struct integer_state *state, int64_t value) {
    if (!state->seen || (max ? value > state->value : value < state->value)) {
        state->value = value;
        state->seen = 1;
    }
}

static enum oriel_status integer_update(const struct oriel_aggregate_call *call,
                                        struct oriel_aggregation *aggregation, char *states,
                                        size_t stride_bytes, const uint32_t *groups,
                                        const struct oriel_column *arguments, const uint64_t *rows,
                                        size_t row_count, uint64_t first_row) {
    (void)aggregation, (void)first_row;
    const enum oriel_physical physical = oriel_type_physical(&call->argument_types[0]);
    const bool max = oriel_extreme_is_max(call);
    ORIEL_FOR_SELECTED(row, rows, row_count)
    integer_take(max, (void *)(states + groups[row] * stride_bytes),
                 integer_at(arguments, physical, row));
    return ORIEL_OK;
}

static enum oriel_status integer_merge(const struct oriel_aggregate_call *call,
                                       struct oriel_aggregation *aggregation, void *into,
                                       const void *from) {
    (void)aggregation;
    const struct integer_state *b = from;
    if (b->seen)
        integer_take(oriel_extreme_is_max(call), into, b->value);
    return ORIEL_OK;
}

static enum oriel_status integer_finish(const struct oriel_aggregate_call *call,
                                        struct oriel_aggregation *aggregation, const char *states,
                                        size_t stride_bytes, size_t count,
                                        struct oriel_column *out) {
    (void)call, (void)aggregation;
    const size_t size = oriel_physical_size(oriel_type_physical(&out->type));
    for (size_t i = 0; i < count; i++) {
        const struct integer_state *state = (const void *)(states + i * stride_bytes);
        if (state->seen) /* little endian: the low bytes are the narrow value */
            memcpy((char *)out->values + i * size, &state->value, size);
        else
            oriel_column_set_null(out, i);
    }
    return ORIEL_OK;
}

static void wide_take(bool max, struct wide_state *state, oriel_i128 value) {
    if (!state->seen || (max ? value > state->value : value < state->value)) {
        state->value = value;
        state->seen = 1;
    }
}

static enum oriel_status wide_update(const struct oriel_aggregate_call *call,
                                     struct oriel_aggregation *aggregation, char *states,
                                     size_t stride_bytes, const uint32_t *groups,
                                     const struct oriel_column *arguments, const uint64_t *rows,
                                     size_t row_count, uint64_t first_row) {
    (void)aggregation, (void)first_row;
    const bool max = oriel_extreme_is_max(call);
    const oriel_i128 *values = arguments->values;
    ORIEL_FOR_SELECTED(row, rows, row_count)
    wide_take(max, (void *)(states + groups[row] * stride_bytes), values[row]);
    return ORIEL_OK;
}

static enum oriel_status wide_merge(const struct oriel_aggregate_call *call,
                                    struct oriel_aggregation *aggregation, void *into,
                                    const void *from) {
    (void)aggregation;
    const struct wide_state *b = from;
    if (b->seen)
        wide_take(oriel_extreme_is_max(call), into, b->value);
    return ORIEL_OK;
}

static enum oriel_status wide_finish(const struct oriel_aggregate_call *call,
                                     struct oriel_aggregation *aggregation, const char *states,
                                     size_t stride_bytes, size_t count, struct oriel_column *out) {
    (void)call, (void)aggregation;
    for (size_t i = 0; i < count; i++) {
        const struct wide_state *state = (const void *)(states + i * stride_bytes);
        if (state->seen)
            ((oriel_i128 *)out->values)[i] = state->value;
        else
            oriel_column_set_null(out, i);
    }
    return ORIEL_OK;
}

static int compare_floats(double a, double b) {
    if (isnan(a) || isnan(b))
        return (isnan(a) != 0) - (isnan(b) != 0);
    return (a > b) - (a < b);
}

static void float_take(const struct oriel_aggregate_call *call, struct float_state *state,
                       double value) {
    value = isnan(value) ? (double)NAN : value + 0.0;
    const int order = state->seen ? compare_floats(value, state->value) : 0;
    if (!state->seen || (oriel_extreme_is_max(call) ? order > 0 : order < 0)) {
        state->value = value;
        state->seen = 1;
    }
}

static enum oriel_status float_update(const struct oriel_aggregate_call *call,
                                      struct oriel_aggregation *aggregation, char *states,
                                      size_t stride_bytes, const uint32_t *groups,
                                      const struct oriel_column *arguments, const uint64_t *rows,
                                      size_t row_count, uint64_t first_row) {
    (void)aggregation, (void)first_row;
    const bool single = call->argument_types[0].id == ORIEL_TYPE_FLOAT;
    ORIEL_FOR_SELECTED(row, rows, row_count)
    float_take(call, (void *)(states + groups[row] * stride_bytes),
               single ? (double)((const float *)arguments->values)[row]
                      : ((const double *)arguments->values)[row]);
    return ORIEL_OK;
}

static enum oriel_status float_merge(const struct oriel_aggregate_call *call,
                                     struct oriel_aggregation *aggregation, void *into,
                                     const void *from) {
    (void)aggregation;
    const struct float_state *b = from;
    if (b->seen)
        float_take(call, into, b->value);
    return ORIEL_OK;
}

static enum oriel_status float_finish(const struct oriel_aggregate_call *call,
                                      struct oriel_aggregation *aggregation, const char *states,
                                      size_t stride_bytes, size_t count, struct oriel_column *out) {
    (void)aggregation;
    for (size_t i = 0; i < count; i++) {
        const struct float_state *state = (const void *)(states + i * stride_bytes);
        if (!state->seen)
            oriel_column_set_null(out, i);
        else if (call->result.id == ORIEL_TYPE_FLOAT)
            ((float *)out->values)[i] = (float)state->value;
        else
            ((double *)out->values)[i] = state->value;
    }
    return ORIEL_OK;
}

const struct oriel_aggregate_operations oriel_extreme_integers = {
    .update = integer_update, .merge = integer_merge, .finish = integer_finish};
const struct oriel_aggregate_operations oriel_extreme_wide = {
    .update = wide_update, .merge = wide_merge, .finish = wide_finish};
const struct oriel_aggregate_operations oriel_extreme_floats = {
    .update = float_update, .merge = float_merge, .finish = float_finish};
