/*
 * Parts of nested values as columns: the elements of arrays, the keys or values of maps, one field
 * of rows.
 */
#pragma once

#include "engine/columns/batch.h"

struct oriel_nested_part {
    const struct oriel_column *column; /* of ARRAY, MAP or ROW values */
    size_t first, rows;                /* rows of the column */
    uint32_t slot;                     /* MAP: 0 keys, 1 values; ROW: the field; ARRAY: 0 */
    size_t count; /* of values: rows for ROW, else the last of oriel_nested_offsets */
};

/* offsets[i] = elements or entries before row first + i, for count + 1 offsets; NULL has none.
 * False when they leave 31 bits. */
bool oriel_nested_offsets(const struct oriel_column *column, size_t first, size_t count,
                          int32_t *offsets);

/* A column of the part's values, whose strings and nested values are borrowed. A field of a NULL
 * row is NULL. Given back by oriel_nested_part_release with the same part. */
enum oriel_status oriel_nested_part_gather(struct oriel_memory *memory,
                                           const struct oriel_nested_part *part,
                                           struct oriel_column *out, struct oriel_error *error);
void oriel_nested_part_release(struct oriel_memory *memory, const struct oriel_nested_part *part,
                               struct oriel_column *column);
