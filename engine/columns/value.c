/*
 * Single values, in columns and in slots of nested values: their copies and their order. Sorting,
 * ranking, MIN and MAX and the final order of results all agree on that order.
 */
#include "engine/columns/value.h"

#include <string.h>

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

static int compare_doubles(double a, double b) {
    if (a != a || b != b)
        return (a != a) - (b != b);
    return ORDER(a, b);
}

static int compare_nested(const struct oriel_type *type, const struct oriel_nested *a,
                          const struct oriel_nested *b);

int oriel_value_compare(const struct oriel_type *type, const void *a, const void *b) {
    switch (oriel_type_physical(type)) {
    case ORIEL_PHYSICAL_I8: return ORDER(*(const int8_t *)a, *(const int8_t *)b);
    case ORIEL_PHYSICAL_I16: return ORDER(*(const int16_t *)a, *(const int16_t *)b);
    case ORIEL_PHYSICAL_I32: return ORDER(*(const int32_t *)a, *(const int32_t *)b);
    case ORIEL_PHYSICAL_I64: return ORDER(*(const int64_t *)a, *(const int64_t *)b);
    case ORIEL_PHYSICAL_I128: return ORDER(*(const oriel_i128 *)a, *(const oriel_i128 *)b);
    case ORIEL_PHYSICAL_F32:
        return compare_doubles((double)*(const float *)a, (double)*(const float *)b);
    case ORIEL_PHYSICAL_F64: return compare_doubles(*(const double *)a, *(const double *)b);
    case ORIEL_PHYSICAL_STRING: {
        const int order = oriel_string_compare(a, b);
        return ORDER(order, 0);
    }
    case ORIEL_PHYSICAL_NESTED:
        return compare_nested(type, *(const struct oriel_nested *const *)a,
                              *(const struct oriel_nested *const *)b);
    }
    return 0;
}

static int compare_nested(const struct oriel_type *type, const struct oriel_nested *a,
                          const struct oriel_nested *b) {
    const uint32_t count_a = oriel_nested_slot_count(type, a);
    const uint32_t count_b = oriel_nested_slot_count(type, b);
    const uint32_t shorter = count_a < count_b ? count_a : count_b;
    for (uint32_t i = 0; i < shorter; i++) {
        const int valid_a = oriel_bits_get(a->valid, i), valid_b = oriel_bits_get(b->valid, i);
        int order = valid_a - valid_b;
        if (valid_a && valid_b)
            order =
                oriel_value_compare(oriel_nested_slot_type(type, i), &a->slots[i], &b->slots[i]);
        if (order)
            return order;
    }
    return ORDER(count_a, count_b);
}

int oriel_column_compare(const struct oriel_column *a, size_t row_a, const struct oriel_column *b,
                         size_t row_b) {
    const int valid_a = oriel_bits_get(a->valid, row_a), valid_b = oriel_bits_get(b->valid, row_b);
    if (!valid_a || !valid_b)
        return valid_a - valid_b;
    const size_t size_bytes = oriel_physical_size(oriel_type_physical(&a->type));
    return oriel_value_compare(&a->type, (const char *)a->values + row_a * size_bytes,
                               (const char *)b->values + row_b * size_bytes);
}

static const struct oriel_nested *copy_nested(struct oriel_arena *arena,
                                              const struct oriel_type *type,
                                              const struct oriel_nested *from) {
    const uint32_t slot_count = oriel_nested_slot_count(type, from);
    struct oriel_nested *to = oriel_arena_allocate(arena, sizeof *to);
    oriel_u128 *slots = oriel_arena_allocate_zeroed(arena, slot_count, sizeof *slots);
    if (!to || !slots)
        return NULL;
    *to = (struct oriel_nested){.count = from->count, .slots = slots};
    if (from->valid) {
        const size_t word_count = oriel_bits_word_count(slot_count);
        uint64_t *valid = oriel_arena_allocate(arena, word_count * sizeof *valid);
        if (!valid)
            return NULL;
        memcpy(valid, from->valid, word_count * sizeof *valid);
        to->valid = valid;
    }
    for (uint32_t i = 0; i < slot_count; i++) {
        if (oriel_bits_get(from->valid, i) &&
            !oriel_value_copy(arena, oriel_nested_slot_type(type, i), &from->slots[i], &slots[i]))
            return NULL;
    }
    return to;
}

bool oriel_value_copy(struct oriel_arena *arena, const struct oriel_type *type, const void *from,
                      void *to) {
    const enum oriel_physical physical = oriel_type_physical(type);
    if (physical == ORIEL_PHYSICAL_STRING) {
        struct oriel_string value;
        memcpy(&value, from, sizeof value);
        if (value.length > ORIEL_STRING_INLINE_BYTES) {
            value.bytes = oriel_arena_copy(arena, value.bytes, value.length);
            if (!value.bytes)
                return false;
        }
        memcpy(to, &value, sizeof value);
        return true;
    }
    if (physical == ORIEL_PHYSICAL_NESTED) {
        const struct oriel_nested *copy =
            copy_nested(arena, type, *(const struct oriel_nested *const *)from);
        memcpy(to, &copy, sizeof copy);
        return copy != NULL;
    }
    memcpy(to, from, oriel_physical_size(physical));
    return true;
}
