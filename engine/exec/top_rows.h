/*
 * Inside Top-N and deduplication: kept rows on their way out, put together again from windows, keys
 * and stores.
 */
#pragma once

#include "engine/exec/gather.h"
#include "engine/exec/top_filter.h"

struct oriel_top_rows {
    const struct oriel_runtime *runtime;
    const struct oriel_top_layout *layout;
    struct oriel_arena arena;
    /* Filled by the caller, up to runtime->batch_rows entries. */
    size_t count;
    struct oriel_pick *picks; /* places in the stores */
    uint32_t *key_rows;       /* rows of the table of keys */
    int64_t *ends, *starts;   /* of the windows */
    /* Of the last gather. */
    struct oriel_column *columns; /* as layout->rows */
    struct oriel_column_buffers store_buffers, key_buffers;
    struct oriel_column *key_columns;
};

enum oriel_status oriel_top_rows_init(struct oriel_top_rows *rows,
                                      const struct oriel_runtime *runtime,
                                      const struct oriel_top_layout *layout,
                                      struct oriel_error *error);
void oriel_top_rows_deinit(struct oriel_top_rows *rows);

/* Sets columns to the `count` rows; `keys` are the columns of the table of keys. */
void oriel_top_rows_gather(struct oriel_top_rows *rows, const struct oriel_column *const *stores,
                           uint32_t store_count, const struct oriel_column *keys);
