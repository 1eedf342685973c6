/*
 * Single values by their place in memory: a row of a column, or a slot of a nested value. None of
 * them is NULL here.
 */
#pragma once

#include "engine/columns/batch.h"

/* The order of oriel_column_compare. */
int oriel_value_compare(const struct oriel_type *type, const void *a, const void *b);

/* Copies a value with all that it points to; false when memory runs out. */
bool oriel_value_copy(struct oriel_arena *arena, const struct oriel_type *type, const void *from,
                      void *to);

/* Slots of a nested value, and the type of slot `index`. */
static inline uint32_t oriel_nested_slot_count(const struct oriel_type *type,
                                               const struct oriel_nested *value) {
    return type->id == ORIEL_TYPE_MAP ? 2 * value->count : value->count;
}

static inline const struct oriel_type *oriel_nested_slot_type(const struct oriel_type *type,
                                                              uint32_t index) {
    switch (type->id) {
    case ORIEL_TYPE_MAP: return &type->fields[index % 2].type;
    case ORIEL_TYPE_ROW: return &type->fields[index].type;
    default: return &type->fields[0].type;
    }
}
