/*
 * PERCENTILE(value, percentage [, frequency]): the values as DOUBLEs, and the value at the place
 * 1 + percentage * (n - 1) of their order, interpolated between neighbours. NaN is the largest.
 */
#include <math.h>

#include "engine/base/decimal.h"
#include "engine/functions/aggregate_list.h"
#include "kernels/kernels.h"

enum { VALUE = 0, FREQUENCY = 1 };

static double number_at(const struct oriel_type *type, const void *value) {
    switch (type->id) {
    case ORIEL_TYPE_TINYINT: return *(const int8_t *)value;
    case ORIEL_TYPE_SMALLINT: return *(const int16_t *)value;
    case ORIEL_TYPE_INT: return *(const int32_t *)value;
    case ORIEL_TYPE_BIGINT: return (double)*(const int64_t *)value;
    case ORIEL_TYPE_FLOAT: return (double)*(const float *)value;
    case ORIEL_TYPE_DECIMAL:
        return oriel_decimal_to_double(*(const oriel_i128 *)value, type->scale);
    default: return *(const double *)value;
    }
}

/* Rows with a frequency that is NULL or not positive do not count. */
static enum oriel_status percentile_update(const struct oriel_aggregate_call *call,
                                           struct oriel_aggregation *aggregation, char *states,
                                           size_t stride_bytes, const uint32_t *groups,
                                           const struct oriel_column *arguments,
                                           const uint64_t *rows, size_t row_count,
                                           uint64_t first_row) {
    const struct oriel_list_call *list_call = call->state;
    const struct oriel_type *type = &arguments[0].type;
    const size_t size = oriel_physical_size(oriel_type_physical(type));
    const bool weighted = list_call->layout.column_count > 1;
    double value;
    int64_t frequency = 1;
    const struct oriel_column columns[] = {
        {.type = list_call->layout.types[VALUE], .values = &value},
        {.type = list_call->layout.types[FREQUENCY], .values = &frequency},
    };
    ORIEL_FOR_SELECTED(row, rows, row_count) {
        value = number_at(type, (const char *)arguments[0].values + row * size);
        if (weighted) {
            frequency = ((const int64_t *)arguments[2].values)[row];
            if (oriel_column_is_null(&arguments[2], row) || frequency <= 0)
                continue;
        }
        if (!oriel_value_list_add(&list_call->layout, (void *)(states + groups[row] * stride_bytes),
                                  columns, 0, first_row + row, aggregation->arena))
            return oriel_error_memory(aggregation->error);
    }
    return ORIEL_OK;
}

/* Numbers in the order of their bits. */
static uint64_t ordered_bits(double value) {
    uint64_t bits;
    value = isnan(value) ? (double)NAN : value;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double of_ordered_bits(uint64_t bits) {
    double value;
    bits = bits >> 63 ? bits & ~(UINT64_C(1) << 63) : ~bits;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Sorted values, and up to which place each reaches. */
struct ranked {
    size_t count;
    uint64_t *bits;
    double *ends; /* NULL: value i is at place i + 1 */
    double total;
};

static bool rank_values(const struct oriel_aggregation *aggregation,
                        const struct oriel_column *columns, bool weighted, size_t count,
                        struct oriel_arena *scratch, struct ranked *ranked) {
    uint64_t *bits = oriel_arena_allocate(scratch, count * sizeof *bits);
    uint64_t *other = oriel_arena_allocate(scratch, count * sizeof *other);
    uint32_t *order = oriel_arena_allocate(scratch, count * sizeof *order);
    uint32_t *other_order = oriel_arena_allocate(scratch, count * sizeof *other_order);
    double *ends = weighted ? oriel_arena_allocate(scratch, count * sizeof *ends) : NULL;
    if (!bits || !other || !order || !other_order || (weighted && !ends))
        return false;
    for (size_t i = 0; i < count; i++) {
        bits[i] = ordered_bits(((const double *)columns[VALUE].values)[i]);
        order[i] = (uint32_t)i;
    }
    aggregation->runtime->kernels->radix_sort_u64(bits, order, count, other, other_order);
    *ranked = (struct ranked){.count = count, .bits = bits, .ends = ends, .total = (double)count};
    if (weighted) {
        const int64_t *frequencies = columns[FREQUENCY].values;
        unsigned __int128 end = 0;
        for (size_t i = 0; i < count; i++) {
            end += (unsigned __int128)frequencies[order[i]];
            ends[i] = (double)end;
        }
        ranked->total = ends[count - 1];
    }
    return true;
}

/* The value at a whole place from 1 on. */
static double value_at(const struct ranked *ranked, double place) {
    size_t low = 0, high = ranked->count - 1;
    if (!ranked->ends)
        low = place < (double)ranked->count ? (size_t)place - 1 : high;
    while (ranked->ends && low < high) { /* the first that reaches so far */
        const size_t middle = low + (high - low) / 2;
        if (ranked->ends[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    return of_ordered_bits(ranked->bits[low]);
}

static double interpolate(const struct ranked *ranked, double percentage) {
    const double place = percentage * (ranked->total - 1.0) + 1.0;
    const double lower = floor(place), upper = ceil(place);
    const double below = value_at(ranked, lower), above = value_at(ranked, upper);
    if (ordered_bits(below) == ordered_bits(above))
        return below;
    return (upper - place) * below + (place - lower) * above;
}

static enum oriel_status percentile_result(const struct oriel_aggregate_call *call,
                                           struct oriel_aggregation *aggregation,
                                           const struct oriel_value_list *list,
                                           const struct oriel_column *columns,
                                           struct oriel_arena *scratch, struct oriel_column *out,
                                           size_t row) {
    const struct oriel_list_call *list_call = call->state;
    struct ranked ranked;
    if (list->count == 0 || list_call->percentage_count == 0) {
        oriel_column_set_null(out, row);
        return ORIEL_OK;
    }
    if (!rank_values(aggregation, columns, list_call->layout.column_count > 1, list->count, scratch,
                     &ranked))
        return oriel_error_memory(aggregation->error);
    if (!list_call->array) {
        ((double *)out->values)[row] = interpolate(&ranked, list_call->percentages[0]);
        return ORIEL_OK;
    }
    struct oriel_nested *nested = oriel_arena_allocate(aggregation->arena, sizeof *nested);
    oriel_u128 *slots =
        oriel_arena_allocate_zeroed(aggregation->arena, list_call->percentage_count, sizeof *slots);
    if (!nested || !slots)
        return oriel_error_memory(aggregation->error);
    for (uint32_t i = 0; i < list_call->percentage_count; i++) {
        const double value = interpolate(&ranked, list_call->percentages[i]);
        memcpy(&slots[i], &value, sizeof value);
    }
    *nested = (struct oriel_nested){.count = list_call->percentage_count, .slots = slots};
    ((const struct oriel_nested **)out->values)[row] = nested;
    return ORIEL_OK;
}

static enum oriel_status percentile_finish(const struct oriel_aggregate_call *call,
                                           struct oriel_aggregation *aggregation,
                                           const char *states, size_t stride_bytes, size_t count,
                                           struct oriel_column *out) {
    return oriel_list_finish(call, aggregation, states, stride_bytes, count, out,
                             percentile_result);
}

static const struct oriel_aggregate_operations percentile_operations = {
    .update = percentile_update,
    .merge = oriel_list_merge,
    .finish = percentile_finish,
    .saved_bytes = oriel_list_saved_bytes,
    .save = oriel_list_save,
    .load = oriel_list_load,
};

static enum oriel_status percentage_error(const struct oriel_aggregate_binding *binding,
                                          struct oriel_error *error) {
    return oriel_error_at(error, ORIEL_INVALID, binding->position,
                          "Percentage of PERCENTILE should be between [0.0, 1.0]: a number, or an "
                          "ARRAY of numbers, that is the same for all rows");
}

/* The percentages, from a constant number or ARRAY. */
static enum oriel_status read_percentages(const struct oriel_aggregate_binding *binding,
                                          struct oriel_list_call *call, struct oriel_error *error) {
    const struct oriel_column *constant = binding->constants[1];
    if (!constant || oriel_column_is_null(constant, 0))
        return percentage_error(binding, error);
    struct oriel_nested one = {.count = 1, .slots = constant->values};
    const struct oriel_nested *list = &one;
    const struct oriel_type *type = &constant->type;
    if (type->id == ORIEL_TYPE_ARRAY) {
        list = *(const struct oriel_nested *const *)constant->values;
        type = &type->fields[0].type;
        call->array = true;
    }
    double *percentages = oriel_arena_allocate_zeroed(binding->statement_arena, list->count + 1u,
                                                      sizeof *percentages);
    if (!percentages)
        return oriel_error_memory(error);
    if (type->id == ORIEL_TYPE_NULL || !oriel_type_is_numeric(type))
        return percentage_error(binding, error);
    for (uint32_t i = 0; i < list->count; i++) {
        if (!oriel_bits_get(list->valid, i))
            return percentage_error(binding, error);
        percentages[i] = number_at(type, &list->slots[i]);
        if (!(percentages[i] >= 0.0 && percentages[i] <= 1.0))
            return percentage_error(binding, error);
    }
    call->percentage_count = list->count;
    call->percentages = percentages;
    return ORIEL_OK;
}

static enum oriel_status percentile_bind(struct oriel_aggregate_binding *binding,
                                         struct oriel_error *error) {
    const struct oriel_type *types = binding->argument_types;
    const struct oriel_type real = oriel_type_with_null(oriel_type_make(ORIEL_TYPE_DOUBLE), true);
    struct oriel_list_call *call;
    if (types[0].id == ORIEL_TYPE_NULL || !oriel_type_is_numeric(&types[0]))
        return oriel_aggregate_type_error(binding, "a number", error);
    const bool weighted = binding->argument_count > 2;
    if (weighted && !oriel_type_is_integer(&types[2]))
        return oriel_error_at(error, ORIEL_INVALID, binding->position,
                              "The frequency of PERCENTILE is an integer");
    ORIEL_TRY(oriel_list_bind(binding, 1, &call, error));
    ORIEL_TRY(read_percentages(binding, call, error));
    call->layout.ordered = false;
    call->layout.types[VALUE] = real;
    if (weighted) {
        call->layout.column_count = 2;
        call->layout.types[FREQUENCY] = oriel_type_make(ORIEL_TYPE_BIGINT);
        binding->casts[2] =
            oriel_type_with_null(oriel_type_make(ORIEL_TYPE_BIGINT), types[2].nullable);
    }
    binding->result = real;
    if (call->array) {
        struct oriel_field *element =
            oriel_arena_allocate_zeroed(binding->statement_arena, 1, sizeof *element);
        if (!element)
            return oriel_error_memory(error);
        element->type = real;
        binding->result = oriel_type_make(ORIEL_TYPE_ARRAY);
        binding->result.field_count = 1;
        binding->result.fields = element;
    }
    binding->operations = &percentile_operations;
    return ORIEL_OK;
}

const struct oriel_aggregate oriel_aggregates_percentile[] = {
    {"PERCENTILE", 2, 3, ORIEL_AGGREGATE_SKIPS_NULLS, percentile_bind},
    {0},
};
