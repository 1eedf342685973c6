/*
 * Rows of a source that comes in order, kept as they come: each worker appends to tables of its
 * own, and segments of them, in the order of the input, are all the rows.
 */
#pragma once

#include "engine/base/runtime.h"
#include "engine/columns/batch.h"
#include "engine/exec/drive.h"

struct oriel_kept_segment {
    uint64_t first_row; /* place of its first row in the input; the others follow */
    uint32_t table;     /* of the worker while rows come, then of all */
    uint32_t begin, count;
};

struct oriel_kept_worker {
    struct oriel_table *tables;
    uint32_t table_count, table_capacity;
    struct oriel_kept_segment *segments;
    size_t segment_count, segment_capacity;
};

struct oriel_kept_rows {
    const struct oriel_runtime *runtime;
    struct oriel_schema schema; /* borrowed */
    size_t table_rows_max;
    unsigned worker_count;
    struct oriel_kept_worker *workers;
    /* After seal. */
    const struct oriel_column **sources; /* columns of each table */
    uint32_t source_count;
    struct oriel_kept_segment *segments;
    size_t segment_count;
};

enum oriel_status oriel_kept_rows_init(struct oriel_kept_rows *rows,
                                       const struct oriel_runtime *runtime,
                                       struct oriel_schema schema, struct oriel_error *error);
void oriel_kept_rows_deinit(struct oriel_kept_rows *rows);

/* Different workers at the same time. ORIEL_MEMORY leaves the rows that were there. */
enum oriel_status oriel_kept_rows_add(struct oriel_kept_rows *rows, unsigned worker,
                                      const struct oriel_batch *batch, struct oriel_error *error);

/* Calls `push` with all rows of a worker, in batches with their places, and forgets them. */
enum oriel_status oriel_kept_rows_move(struct oriel_kept_rows *rows, unsigned worker,
                                       oriel_worker_push *push, void *context,
                                       struct oriel_error *error);

/* After the last row: sets sources, with room for one more, and segments. */
enum oriel_status oriel_kept_rows_seal(struct oriel_kept_rows *rows, struct oriel_error *error);
