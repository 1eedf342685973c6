/*
 * Keeps, of each partition, the rows that can still be among its first `high` by ROW_NUMBER: a
 * bounded heap for each partition over one store of rows, whose dead rows are reclaimed. One a
 * worker, so what it keeps is a superset of the worker's part of the result.
 */
#pragma once

#include "engine/exec/key_table.h"
#include "engine/exec/sort_words.h"

struct oriel_top_heap;

struct oriel_top_filter {
    const struct oriel_runtime *runtime;
    const struct oriel_plan *plan; /* RANK */
    struct oriel_schema schema;    /* of the rows: the input's fields and the position */
    struct oriel_arena heap_arena; /* entries of the heaps */
    struct oriel_arena arena;
    struct oriel_sort_layout first_item; /* the first order item alone */
    bool first_decides;                  /* equal first words mean equal rows */
    struct oriel_key_table keys;
    struct oriel_table store;
    size_t live_count;
    uint32_t heap_count, heap_capacity;
    struct oriel_top_heap *heaps; /* by key id */
    uint64_t *bounds;             /* first word that a row must not exceed */
    /* of a batch */
    uint32_t *ids;
    uint64_t *words;
    uint32_t *pending; /* rows to be stored; the k-th gets row store.row_count + k */
    size_t pending_count;
    struct oriel_column *key_columns;
};

enum oriel_status oriel_top_filter_init(struct oriel_top_filter *filter,
                                        const struct oriel_runtime *runtime,
                                        const struct oriel_plan *plan, struct oriel_schema schema,
                                        struct oriel_error *error);
void oriel_top_filter_deinit(struct oriel_top_filter *filter);

/* Takes a batch whose last column is the position. */
enum oriel_status oriel_top_filter_push(struct oriel_top_filter *filter,
                                        const struct oriel_batch *batch, struct oriel_error *error);

/* Bytes that it holds. */
size_t oriel_top_filter_bytes(const struct oriel_top_filter *filter);

/* A walk over the rows that are kept; starts as zeros. */
struct oriel_top_walk {
    uint32_t heap, entry;
};

/* Writes up to `capacity` rows of filter->store that are kept to `rows`, those after the ones that
 * the walk has given. Returns how many; 0 at the end. */
size_t oriel_top_filter_kept(const struct oriel_top_filter *filter, struct oriel_top_walk *walk,
                             uint32_t *rows, size_t capacity);

/* Forgets everything that was kept and gives its memory back. */
enum oriel_status oriel_top_filter_clear(struct oriel_top_filter *filter,
                                         struct oriel_error *error);
