/*
 * Keeps, of each partition, the rows that can still be among its first `high` by ROW_NUMBER: one
 * row, or a bounded heap, for each group. One a worker, so what it keeps is a superset of the
 * worker's part of the result.
 */
#pragma once

#include "engine/exec/top_groups.h"

struct oriel_top_entry {
    uint64_t word; /* of the first order item */
    int64_t position;
    uint64_t row; /* in the store, or store.row_count + k for the k-th pending row */
};

/* The worst entry comes first. */
struct oriel_top_heap {
    struct oriel_top_entry *entries;
    uint32_t count, capacity;
};

struct oriel_top_filter {
    const struct oriel_runtime *runtime;
    const struct oriel_top_layout *layout;
    struct oriel_arena arena;
    struct oriel_top_groups groups;
    struct oriel_table store; /* with one row a group, row g is that of group g */
    size_t store_kept_bytes;  /* of its arena, when it was last put together */
    uint32_t word_capacity;   /* of best_words or bounds, by group ... */
    uint32_t item_capacity;   /* ... and of best_rows or heaps */
    /* one row a group */
    bool single;
    uint64_t *best_words;
    uint32_t *best_rows; /* row + 1 of the batch; 0: the one in the store */
    /* heaps; the entries are in heap_arena */
    struct oriel_arena heap_arena;
    struct oriel_top_heap *heaps;
    uint64_t *bounds;     /* first word that a row must not exceed */
    uint32_t bound_count; /* groups that have one */
    size_t live_count;
    /* of a batch */
    uint32_t *ids;
    uint64_t *words;
    uint32_t *pending; /* rows to be stored; heaps: the k-th gets row store.row_count + k */
    size_t pending_count;
    uint32_t *touched; /* groups whose row in the store is replaced */
    struct oriel_column *columns;
};

enum oriel_status oriel_top_filter_init(struct oriel_top_filter *filter,
                                        const struct oriel_runtime *runtime,
                                        const struct oriel_top_layout *layout,
                                        struct oriel_error *error);
void oriel_top_filter_deinit(struct oriel_top_filter *filter);

/* Takes a batch of whole rows, whose last column is the position. After ORIEL_MEMORY it keeps what
 * it kept before, and perhaps some of the rows; the batch may be pushed again after clear. */
enum oriel_status oriel_top_filter_push(struct oriel_top_filter *filter,
                                        const struct oriel_batch *batch, struct oriel_error *error);

/* Bytes that it holds. */
size_t oriel_top_filter_bytes(const struct oriel_top_filter *filter);

/* Rows kept, at most. */
size_t oriel_top_filter_row_count(const struct oriel_top_filter *filter);

/* A walk over the rows that are kept, window by window; starts as zeros. */
struct oriel_top_walk {
    uint32_t window, slot;
    bool in_group;
    struct oriel_top_member member;
    uint32_t entry;
};

/* A row that is kept. */
struct oriel_top_kept {
    uint32_t row; /* of the store */
    uint32_t key, window;
};

/* Writes up to `capacity` rows that are kept, those after the ones that the walk has given. Returns
 * how many; 0 at the end. */
size_t oriel_top_filter_kept(const struct oriel_top_filter *filter, struct oriel_top_walk *walk,
                             struct oriel_top_kept *kept, size_t capacity);

/* Forgets everything that was kept and gives its memory back. */
enum oriel_status oriel_top_filter_clear(struct oriel_top_filter *filter,
                                         struct oriel_error *error);

/* The two ways to keep rows. The groups of the batch are in filter->ids, the first words in
 * filter->words, and stored columns in filter->columns. */
enum oriel_status oriel_top_single_push(struct oriel_top_filter *filter,
                                        const struct oriel_batch *batch, struct oriel_error *error);
enum oriel_status oriel_top_heap_push(struct oriel_top_filter *filter,
                                      const struct oriel_batch *batch, struct oriel_error *error);

/* Adds the pending rows to the store. */
enum oriel_status oriel_top_filter_store(struct oriel_top_filter *filter, size_t row_count,
                                         struct oriel_error *error);
/* Makes a store of the named rows alone. */
enum oriel_status oriel_top_filter_compact(struct oriel_top_filter *filter, const uint32_t *rows,
                                           size_t count, struct oriel_error *error);
