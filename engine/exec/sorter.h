/*
 * Sorts rows of any number: each worker collects runs, sorts them when they are full and writes
 * them out when memory gets short; the runs are merged on the way out. The items must order the
 * rows totally (a position among them), so that the result does not depend on who sorted what.
 */
#pragma once

#include "engine/base/runtime.h"
#include "engine/columns/source.h"
#include "engine/plan/plan.h"

struct oriel_sorter;

/* Rows have `schema`; the source gives their first visible_count columns. Only the first `limit`
 * rows are wanted (INT64_MAX: all). schema.fields and items are copied. */
enum oriel_status oriel_sorter_open(const struct oriel_runtime *runtime, struct oriel_schema schema,
                                    uint32_t visible_count, const struct oriel_sort_item *items,
                                    uint32_t item_count, int64_t limit, struct oriel_sorter **out,
                                    struct oriel_error *error);
void oriel_sorter_close(struct oriel_sorter **sorter);

/* Adds rows [0, count) of the batch, or those that `rows` names; different workers at the same
 * time. */
enum oriel_status oriel_sorter_add(struct oriel_sorter *sorter, unsigned worker,
                                   const struct oriel_batch *batch, const uint32_t *rows,
                                   size_t count, struct oriel_error *error);

/* Writes the rows of all workers to the file, since memory is short; any thread. */
enum oriel_status oriel_sorter_relieve(struct oriel_sorter *sorter, struct oriel_error *error);

/* Sorts what is left, on all workers, and gives the source of the rows in order; it borrows from
 * the sorter. */
enum oriel_status oriel_sorter_finish(struct oriel_sorter *sorter, struct oriel_source **out,
                                      struct oriel_error *error);

/* The same, for rows that are worked on with those before them: rows that are equal in the first
 * `whole_items` items come in one morsel of `source`, if that can be; otherwise `source` is NULL
 * and `merge` gives all rows one after the other, to be closed by the caller. */
struct oriel_sort_merge;
enum oriel_status oriel_sorter_finish_whole(struct oriel_sorter *sorter, uint32_t whole_items,
                                            struct oriel_source **source,
                                            struct oriel_sort_merge **merge,
                                            struct oriel_error *error);
