/*
 * Inside sorting: runs of sorted rows in memory or in a temporary file, and their merge.
 */
#pragma once

#include "engine/exec/sort_words.h"
#include "engine/exec/spill.h"
#include "engine/exec/table_source.h"

/* Sorted rows: `order` names rows of `table`, or the rows lie in `stream`. */
struct oriel_sort_run {
    struct oriel_sort_run *next;
    size_t row_count;
    unsigned level; /* merges that it went through */
    struct oriel_table table;
    uint32_t *order;
    struct oriel_spill_stream stream; /* spill is NULL for a run in memory */
};

/* Sorts the rows of `table`, which it takes over (it is empty afterwards), and keeps the first
 * `limit`. */
enum oriel_status oriel_sort_run_make(const struct oriel_sort_layout *layout,
                                      const struct oriel_runtime *runtime,
                                      struct oriel_table *table, uint64_t limit,
                                      struct oriel_sort_run **out, struct oriel_error *error);

/* Writes the rows of a run in memory to `spill`, block_rows at a time, and frees them. When it
 * fails the run stays in memory. */
enum oriel_status oriel_sort_run_spill(struct oriel_sort_run *run, struct oriel_spill *spill,
                                       size_t block_rows, struct oriel_error *error);

/* Makes one run in `spill` of all runs of a list, which are left as they are. */
enum oriel_status oriel_sort_run_merge(const struct oriel_sort_layout *layout,
                                       const struct oriel_runtime *runtime,
                                       struct oriel_sort_run *runs, uint64_t limit,
                                       struct oriel_spill *spill, size_t block_rows,
                                       struct oriel_sort_run **out, struct oriel_error *error);

void oriel_sort_run_free(struct oriel_sort_run *run, struct oriel_memory *memory);

/* Gives the rows of runs in order, at most `limit`. The runs must outlive it. */
struct oriel_sort_merge;

enum oriel_status oriel_sort_merge_open(const struct oriel_sort_layout *layout,
                                        const struct oriel_runtime *runtime,
                                        struct oriel_schema schema, struct oriel_sort_run *runs,
                                        uint64_t limit, struct oriel_sort_merge **out,
                                        struct oriel_error *error);
void oriel_sort_merge_close(struct oriel_sort_merge **merge);

/* Appends up to row_count rows to `table`, whose schema is the first fields of the runs'. Appends
 * none at the end. */
enum oriel_status oriel_sort_merge_next(struct oriel_sort_merge *merge, struct oriel_table *table,
                                        size_t row_count, struct oriel_error *error);

/* Pushes all rows, the first one being row `first_row` of the output. */
enum oriel_status oriel_sort_merge_push(struct oriel_sort_merge *merge, uint64_t first_row,
                                        oriel_push *push, void *context, struct oriel_error *error);
