/*
 * Sorts distinct keys: radix sort on an order-preserving prefix of the first item, then comparison
 * within equal prefixes.
 */
#include "engine/exec/key_rank.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"

static uint64_t float_prefix(double value) {
    uint64_t bits;
    const double normal = oriel_row_key_normal_f64(value);
    memcpy(&bits, &normal, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static uint64_t string_prefix(const struct oriel_string *value) {
    unsigned char bytes[8] = {0};
    memcpy(bytes, oriel_string_bytes(value), value->length < 8 ? value->length : 8);
    uint64_t prefix = 0;
    for (int i = 0; i < 8; i++)
        prefix = prefix << 8 | bytes[i];
    return prefix;
}

/* Order-preserving for values that are not NULL, up to equality. */
static inline __attribute__((always_inline)) uint64_t value_prefix(
    const struct oriel_column *column, enum oriel_physical physical, size_t row) {
    const uint64_t bias = UINT64_C(1) << 63;
    switch (physical) {
    case ORIEL_PHYSICAL_I8: return (uint64_t)((const int8_t *)column->values)[row] ^ bias;
    case ORIEL_PHYSICAL_I16: return (uint64_t)((const int16_t *)column->values)[row] ^ bias;
    case ORIEL_PHYSICAL_I32: return (uint64_t)((const int32_t *)column->values)[row] ^ bias;
    case ORIEL_PHYSICAL_I64: return (uint64_t)((const int64_t *)column->values)[row] ^ bias;
    case ORIEL_PHYSICAL_I128:
        return (uint64_t)(((const oriel_i128 *)column->values)[row] >> 64) ^ bias;
    case ORIEL_PHYSICAL_F32: return float_prefix((double)((const float *)column->values)[row]);
    case ORIEL_PHYSICAL_F64: return float_prefix(((const double *)column->values)[row]);
    case ORIEL_PHYSICAL_STRING: return string_prefix(&oriel_column_strings(column)[row]);
    case ORIEL_PHYSICAL_NESTED: break;
    }
    return 0;
}

/* One loop for each of the usual keys. */
static void write_prefixes(const struct oriel_column *column, size_t count, uint64_t *prefixes) {
    const enum oriel_physical physical = oriel_type_physical(&column->type);
    switch (physical) {
    case ORIEL_PHYSICAL_I32:
        for (size_t row = 0; row < count; row++)
            prefixes[row] = value_prefix(column, ORIEL_PHYSICAL_I32, row);
        break;
    case ORIEL_PHYSICAL_I64:
        for (size_t row = 0; row < count; row++)
            prefixes[row] = value_prefix(column, ORIEL_PHYSICAL_I64, row);
        break;
    default:
        for (size_t row = 0; row < count; row++)
            prefixes[row] =
                oriel_column_is_null(column, row) ? 0 : value_prefix(column, physical, row);
    }
}

struct tie_context {
    const struct oriel_table *keys;
    const struct oriel_sort_item *items;
    uint32_t item_count;
};

static int by_all_items(const void *a, const void *b, void *context) {
    const struct tie_context *tie = context;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const int order = oriel_row_key_order(tie->keys->columns, x, tie->keys->columns, y, tie->items,
                                          tie->item_count);
    return order ? order : (x > y) - (x < y);
}

static void sort_ties(const struct tie_context *tie, const uint64_t *prefixes, uint32_t *order,
                      size_t count) {
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && prefixes[end] == prefixes[begin];)
            end++;
        if (end - begin > 1) {
            struct tie_context context = *tie;
            qsort_r(order + begin, end - begin, sizeof *order, by_all_items, &context);
        }
    }
}

enum oriel_status oriel_key_rank(const struct oriel_runtime *runtime,
                                 const struct oriel_table *keys,
                                 const struct oriel_sort_item *items, uint32_t item_count,
                                 uint32_t *order, struct oriel_error *error) {
    const size_t count = keys->row_count;
    if (count == 0)
        return ORIEL_OK; /* the table has no columns yet */
    const struct oriel_column *first = &keys->columns[items[0].column];
    uint64_t *prefixes = oriel_memory_allocate(runtime->memory, count * 2 * sizeof *prefixes);
    uint32_t *scratch = oriel_memory_allocate(runtime->memory, count * sizeof *scratch);
    if (!prefixes || !scratch) {
        oriel_memory_release(runtime->memory, prefixes, count * 2 * sizeof *prefixes);
        oriel_memory_release(runtime->memory, scratch, count * sizeof *scratch);
        return oriel_error_memory(error);
    }
    const struct tie_context tie = {keys, items, item_count};
    size_t nulls = 0, values = 0;
    write_prefixes(first, count, prefixes);
    for (size_t row = 0; first->valid && row < count; row++)
        nulls += oriel_column_is_null(first, row) != 0;
    const size_t null_begin = items[0].nulls_first ? 0 : count - nulls;
    const size_t value_begin = items[0].nulls_first ? nulls : 0;
    size_t null_at = null_begin;
    for (size_t row = 0; row < count; row++) {
        if (oriel_column_is_null(first, row)) {
            order[null_at++] = (uint32_t)row;
        } else {
            const uint64_t prefix = prefixes[row]; /* at or behind where it goes */
            prefixes[values] = items[0].descending ? ~prefix : prefix;
            order[value_begin + values++] = (uint32_t)row;
        }
    }
    runtime->kernels->radix_sort_u64(prefixes, order + value_begin, values, prefixes + count,
                                     scratch);
    sort_ties(&tie, prefixes, order + value_begin, values);
    struct tie_context null_tie = tie;
    qsort_r(order + null_begin, nulls, sizeof *order, by_all_items, &null_tie);
    oriel_memory_release(runtime->memory, prefixes, count * 2 * sizeof *prefixes);
    oriel_memory_release(runtime->memory, scratch, count * sizeof *scratch);
    return ORIEL_OK;
}
