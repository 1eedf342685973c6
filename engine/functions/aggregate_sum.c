/*
 * SUM and AVG. Integers wrap around in 64 bits, as Flink's do; decimals are summed in 192 bits, so
 * that only the final result can leave 38 digits (then it is NULL); FLOAT and DOUBLE are summed
 * exactly and rounded once.
 */
#include "engine/base/decimal.h"
#include "engine/functions/aggregate_table.h"
#include "engine/functions/exact_sum.h"
#include "kernels/kernels.h"

enum { AVERAGE_SCALE_MIN = 6 };

struct integer_state { /* as the kernels have it */
    int64_t sum;
    int64_t count;
};

struct decimal_state {
    oriel_u128 low;
    int64_t high;
    int64_t count;
};

struct float_state {
    struct oriel_exact_sum sum;
    int64_t count;
};

/* The argument as int64; I32 and I64 have kernels of their own. */
static int64_t integer_at(const struct oriel_column *column, enum oriel_physical physical,
                          size_t row) {
    switch (physical) {
    case ORIEL_PHYSICAL_I8: return ((const int8_t *)column->values)[row];
    case ORIEL_PHYSICAL_I16: return ((const int16_t *)column->values)[row];
    case ORIEL_PHYSICAL_I32: return ((const int32_t *)column->values)[row];
    default: return ((const int64_t *)column->values)[row];
    }
}

static enum oriel_status integer_update(const struct oriel_aggregate_call *call,
                                        struct oriel_aggregation *aggregation, char *states,
                                        size_t stride_bytes, const uint32_t *groups,
                                        const struct oriel_column *arguments, const uint64_t *rows,
                                        size_t row_count, uint64_t first_row) {
    (void)first_row;
    const struct oriel_kernels *kernels = aggregation->runtime->kernels;
    const enum oriel_physical physical = oriel_type_physical(&call->argument_types[0]);
    if (physical == ORIEL_PHYSICAL_I32)
        kernels->group_sum_i32(groups, arguments->values, rows, row_count, states, stride_bytes);
    else if (physical == ORIEL_PHYSICAL_I64)
        kernels->group_sum_i64(groups, arguments->values, rows, row_count, states, stride_bytes);
    else
        ORIEL_FOR_SELECTED(row, rows, row_count) {
            struct integer_state *state = (void *)(states + groups[row] * stride_bytes);
            state->sum =
                (int64_t)((uint64_t)state->sum + (uint64_t)integer_at(arguments, physical, row));
            state->count++;
        }
    return ORIEL_OK;
}

static enum oriel_status integer_merge(const struct oriel_aggregate_call *call,
                                       struct oriel_aggregation *aggregation, void *into,
                                       const void *from) {
    (void)call, (void)aggregation;
    struct integer_state *a = into;
    const struct integer_state *b = from;
    a->sum = (int64_t)((uint64_t)a->sum + (uint64_t)b->sum);
    a->count += b->count;
    return ORIEL_OK;
}

static void store_integer(struct oriel_column *out, enum oriel_physical physical, size_t row,
                          int64_t value) {
    switch (physical) {
    case ORIEL_PHYSICAL_I8: ((int8_t *)out->values)[row] = (int8_t)value; break;
    case ORIEL_PHYSICAL_I16: ((int16_t *)out->values)[row] = (int16_t)value; break;
    case ORIEL_PHYSICAL_I32: ((int32_t *)out->values)[row] = (int32_t)value; break;
    default: ((int64_t *)out->values)[row] = value; break;
    }
}

static int64_t wrap_integer(int64_t value, enum oriel_physical physical) {
    switch (physical) {
    case ORIEL_PHYSICAL_I8: return (int8_t)value;
    case ORIEL_PHYSICAL_I16: return (int16_t)value;
    case ORIEL_PHYSICAL_I32: return (int32_t)value;
    default: return value;
    }
}

/* The count is positive, so the quotient cannot overflow. */
static int64_t integer_result(const struct oriel_aggregate_call *call,
                              const struct integer_state *state) {
    if (!call->state)
        return state->sum;
    const int64_t sum = call->divides_sum
                            ? wrap_integer(state->sum, oriel_type_physical(&call->result))
                            : state->sum;
    return sum / state->count;
}

static enum oriel_status integer_finish(const struct oriel_aggregate_call *call,
                                        struct oriel_aggregation *aggregation, const char *states,
                                        size_t stride_bytes, size_t count,
                                        struct oriel_column *out) {
    (void)aggregation;
    const enum oriel_physical physical = oriel_type_physical(&out->type);
    for (size_t i = 0; i < count; i++) {
        const struct integer_state *state = (const void *)(states + i * stride_bytes);
        if (state->count)
            store_integer(out, physical, i, integer_result(call, state));
        else
            oriel_column_set_null(out, i);
    }
    return ORIEL_OK;
}

static void decimal_add(struct decimal_state *state, oriel_u128 low, int64_t high) {
    const oriel_u128 sum = state->low + low;
    state->high += high + (sum < low);
    state->low = sum;
}

static enum oriel_status decimal_update(const struct oriel_aggregate_call *call,
                                        struct oriel_aggregation *aggregation, char *states,
                                        size_t stride_bytes, const uint32_t *groups,
                                        const struct oriel_column *arguments, const uint64_t *rows,
                                        size_t row_count, uint64_t first_row) {
    (void)call, (void)aggregation, (void)first_row;
    const oriel_i128 *values = arguments->values;
    ORIEL_FOR_SELECTED(row, rows, row_count) {
        struct decimal_state *state = (void *)(states + groups[row] * stride_bytes);
        decimal_add(state, (oriel_u128)values[row], values[row] < 0 ? -1 : 0);
        state->count++;
    }
    return ORIEL_OK;
}

static enum oriel_status decimal_merge(const struct oriel_aggregate_call *call,
                                       struct oriel_aggregation *aggregation, void *into,
                                       const void *from) {
    (void)call, (void)aggregation;
    struct decimal_state *a = into;
    const struct decimal_state *b = from;
    decimal_add(a, b->low, b->high);
    a->count += b->count;
    return ORIEL_OK;
}

static bool decimal_result(const struct oriel_aggregate_call *call,
                           const struct decimal_state *state, oriel_i128 *out) {
    const oriel_i128 sum = (oriel_i128)state->low;
    if (!state->count || state->high != (sum < 0 ? -1 : 0))
        return false;
    const unsigned scale = call->argument_types[0].scale;
    if (!call->state)
        return oriel_decimal_rescale(sum, scale, scale, ORIEL_DECIMAL_PRECISION_MAX, out);
    return oriel_decimal_divide(sum, state->count, call->result.scale - (int)scale,
                                ORIEL_DECIMAL_PRECISION_MAX, out);
}

static enum oriel_status decimal_finish(const struct oriel_aggregate_call *call,
                                        struct oriel_aggregation *aggregation, const char *states,
                                        size_t stride_bytes, size_t count,
                                        struct oriel_column *out) {
    (void)aggregation;
    for (size_t i = 0; i < count; i++) {
        const struct decimal_state *state = (const void *)(states + i * stride_bytes);
        if (!decimal_result(call, state, &((oriel_i128 *)out->values)[i]))
            oriel_column_set_null(out, i);
    }
    return ORIEL_OK;
}

static enum oriel_status float_update(const struct oriel_aggregate_call *call,
                                      struct oriel_aggregation *aggregation, char *states,
                                      size_t stride_bytes, const uint32_t *groups,
                                      const struct oriel_column *arguments, const uint64_t *rows,
                                      size_t row_count, uint64_t first_row) {
    (void)first_row;
    const bool single = call->argument_types[0].id == ORIEL_TYPE_FLOAT;
    ORIEL_FOR_SELECTED(row, rows, row_count) {
        struct float_state *state = (void *)(states + groups[row] * stride_bytes);
        const double value = single ? (double)((const float *)arguments->values)[row]
                                    : ((const double *)arguments->values)[row];
        state->count++;
        if (!oriel_exact_sum_add(&state->sum, value, aggregation->arena))
            return oriel_error_memory(aggregation->error);
    }
    return ORIEL_OK;
}

static enum oriel_status float_merge(const struct oriel_aggregate_call *call,
                                     struct oriel_aggregation *aggregation, void *into,
                                     const void *from) {
    (void)call;
    struct float_state *a = into;
    const struct float_state *b = from;
    a->count += b->count;
    if (!oriel_exact_sum_merge(&a->sum, &b->sum, aggregation->arena))
        return oriel_error_memory(aggregation->error);
    return ORIEL_OK;
}

static enum oriel_status float_finish(const struct oriel_aggregate_call *call,
                                      struct oriel_aggregation *aggregation, const char *states,
                                      size_t stride_bytes, size_t count, struct oriel_column *out) {
    (void)aggregation;
    for (size_t i = 0; i < count; i++) {
        const struct float_state *state = (const void *)(states + i * stride_bytes);
        if (!state->count) {
            oriel_column_set_null(out, i);
            continue;
        }
        double value = oriel_exact_sum_value(&state->sum);
        if (call->state)
            value /= (double)state->count;
        if (call->result.id == ORIEL_TYPE_FLOAT)
            ((float *)out->values)[i] = (float)value;
        else
            ((double *)out->values)[i] = value;
    }
    return ORIEL_OK;
}

static size_t float_saved_bytes(const struct oriel_aggregate_call *call, const void *state) {
    (void)call;
    return sizeof(int64_t) + oriel_exact_sum_saved_bytes(&((const struct float_state *)state)->sum);
}

static void float_save(const struct oriel_aggregate_call *call, const void *state, char *out) {
    (void)call;
    const struct float_state *from = state;
    memcpy(out, &from->count, sizeof from->count);
    oriel_exact_sum_save(&from->sum, out + sizeof from->count);
}

static enum oriel_status float_load(const struct oriel_aggregate_call *call,
                                    struct oriel_aggregation *aggregation, void *state,
                                    const char *bytes, size_t size_bytes) {
    (void)call;
    struct float_state *into = state;
    memcpy(&into->count, bytes, sizeof into->count);
    if (!oriel_exact_sum_load(&into->sum, bytes + sizeof into->count,
                              size_bytes - sizeof into->count, aggregation->arena))
        return oriel_error_memory(aggregation->error);
    return ORIEL_OK;
}

static const struct oriel_aggregate_operations integer_operations = {.update = integer_update,
                                                                     .merge = integer_merge,
                                                                     .merge_adds_words = true,
                                                                     .finish = integer_finish};
static const struct oriel_aggregate_operations decimal_operations = {
    .update = decimal_update, .merge = decimal_merge, .finish = decimal_finish};
static const struct oriel_aggregate_operations float_operations = {
    .update = float_update,
    .merge = float_merge,
    .finish = float_finish,
    .saved_bytes = float_saved_bytes,
    .save = float_save,
    .load = float_load,
};

static enum oriel_status bind(struct oriel_aggregate_binding *binding, bool average,
                              struct oriel_error *error) {
    static const char average_mark; /* a call->state that is not NULL says AVG */
    const struct oriel_type *type = &binding->argument_types[0];
    if (type->id == ORIEL_TYPE_NULL || !oriel_type_is_numeric(type))
        return oriel_aggregate_type_error(binding, "a number", error);
    binding->state = average ? &average_mark : NULL;
    binding->result = oriel_type_with_null(*type, true);
    if (type->id == ORIEL_TYPE_DECIMAL) {
        const unsigned scale =
            average && type->scale < AVERAGE_SCALE_MIN ? AVERAGE_SCALE_MIN : type->scale;
        binding->result = oriel_type_decimal(ORIEL_DECIMAL_PRECISION_MAX, scale);
        binding->operations = &decimal_operations;
        binding->state_bytes = sizeof(struct decimal_state);
    } else if (oriel_type_is_integer(type)) {
        binding->operations = &integer_operations;
        binding->state_bytes = sizeof(struct integer_state);
    } else {
        binding->operations = &float_operations;
        binding->state_bytes = sizeof(struct float_state);
    }
    return ORIEL_OK;
}

static enum oriel_status sum_bind(struct oriel_aggregate_binding *binding,
                                  struct oriel_error *error) {
    return bind(binding, false, error);
}

static enum oriel_status average_bind(struct oriel_aggregate_binding *binding,
                                      struct oriel_error *error) {
    return bind(binding, true, error);
}

const struct oriel_aggregate oriel_aggregates_sum[] = {
    {"SUM", 1, 1, ORIEL_AGGREGATE_SKIPS_NULLS | ORIEL_AGGREGATE_NULL_AS_ARGUMENT, sum_bind},
    {"AVG", 1, 1, ORIEL_AGGREGATE_SKIPS_NULLS | ORIEL_AGGREGATE_NULL_AS_ARGUMENT, average_bind},
    {0},
};
