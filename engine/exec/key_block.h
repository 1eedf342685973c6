/*
 * A block of rows on its way into or through a key table: views of the key columns with floating
 * numbers brought to their normal form, and the hashes.
 */
#pragma once

#include "engine/columns/batch.h"

struct oriel_kernels;

enum { ORIEL_KEY_BLOCK_ROWS = 1024 };

struct oriel_key_block {
    struct oriel_memory *memory;
    struct oriel_schema schema;   /* borrowed */
    struct oriel_column *columns; /* row 0 is the block's first */
    const uint64_t *hashes;
    uint64_t *own_hashes;
    char *values; /* room of ORIEL_KEY_BLOCK_ROWS numbers for each floating column */
};

enum oriel_status oriel_key_block_init(struct oriel_key_block *block, struct oriel_memory *memory,
                                       struct oriel_schema schema, struct oriel_error *error);
void oriel_key_block_deinit(struct oriel_key_block *block);

/* Sets columns and hashes to rows [first, first + row_count), first a multiple of 64, row_count at
 * most ORIEL_KEY_BLOCK_ROWS. `hashes` are those of all rows; NULL: they are computed. */
void oriel_key_block_cut(struct oriel_key_block *block, const struct oriel_kernels *kernels,
                         const struct oriel_column *columns, const uint64_t *hashes, size_t first,
                         uint32_t row_count);
