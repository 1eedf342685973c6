/*
 * Rows picked out of columns, and ranges of rows seen as batches.
 */
#pragma once

#include "engine/columns/batch.h"

struct oriel_kernels;

/*
 * Writes rows `rows` of `columns` to `buffers` (of the same types, row_count <= capacity) and
 * describes the result in `out`, column_count entries; `valid` stays NULL where the input has none.
 * Strings and nested values keep pointing where they did; codes stay where the buffers have room.
 */
void oriel_gather_rows(const struct oriel_kernels *kernels, const struct oriel_column *columns,
                       uint32_t column_count, const uint32_t *rows, size_t row_count,
                       const struct oriel_column_buffers *buffers, struct oriel_column *out);

/* A row of one of several sets of columns. */
struct oriel_pick {
    uint32_t source;
    uint32_t row;
};

/* Writes the picked values of column `column` of the sources to the values and bits of `buffer`,
 * and describes them in `out`, likewise. A source without rows may be NULL. */
void oriel_gather_picks(const struct oriel_column *const *sources, uint32_t source_count,
                        uint32_t column, const struct oriel_pick *picks, size_t count,
                        const struct oriel_column *buffer, struct oriel_column *out);

/*
 * Views of rows from `first` on. `words` is room for column_count words, used when `first` is no
 * multiple of 64; then at most 64 rows may be looked at.
 */
void oriel_slice_columns(const struct oriel_column *columns, uint32_t column_count, size_t first,
                         size_t row_count, uint64_t *words, struct oriel_column *out);

/* The rows to take at once so that slices are at most `batch_rows` and start as the above asks. */
size_t oriel_slice_rows(size_t batch_rows);
