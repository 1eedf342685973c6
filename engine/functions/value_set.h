/*
 * Inside engine/functions: sets of values as states of aggregates, for DISTINCT and COLLECT. Each
 * value knows where it first came and how often. A NULL is a value of its own.
 */
#pragma once

#include "engine/columns/batch.h"

struct oriel_set_entry;

struct oriel_value_set { /* all zero: empty */
    struct oriel_set_entry *entries;
    uint32_t count;      /* without the NULL */
    uint32_t capacity;   /* a power of two */
    uint64_t null_place; /* where the first NULL came, plus 1; 0: none came */
};

/* Whether values of the type can be told apart: all but MAP, and what holds one. */
bool oriel_value_set_takes(const struct oriel_type *type);

/* Adds row `row` of a column, found at `place`. False when memory runs out. */
bool oriel_value_set_add(struct oriel_value_set *set, const struct oriel_column *column, size_t row,
                         uint64_t place, struct oriel_arena *arena);

/* What long strings and nested values of `from` point to must live as long as `into`. */
bool oriel_value_set_merge(struct oriel_value_set *into, const struct oriel_value_set *from,
                           const struct oriel_type *type, struct oriel_arena *arena);

/* Values and NULL. */
static inline uint64_t oriel_value_set_size(const struct oriel_value_set *set) {
    return (uint64_t)set->count + (set->null_place != 0);
}

enum oriel_value_set_order { ORIEL_SET_BY_PLACE, ORIEL_SET_BY_VALUE };

/* The values as a column of oriel_value_set_size rows; `counts`, if not NULL, gets how often each
 * came. They point to what the set points to. False when memory runs out. */
bool oriel_value_set_list(const struct oriel_value_set *set, const struct oriel_type *type,
                          enum oriel_value_set_order order, struct oriel_arena *arena,
                          struct oriel_column *column, int32_t **counts);

size_t oriel_value_set_saved_bytes(const struct oriel_value_set *set,
                                   const struct oriel_type *type);
void oriel_value_set_save(const struct oriel_value_set *set, const struct oriel_type *type,
                          char *out);
bool oriel_value_set_load(struct oriel_value_set *set, const struct oriel_type *type,
                          const char *bytes, struct oriel_arena *arena);
