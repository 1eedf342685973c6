/*
 * Inside aggregation: the groups of all workers seen as one. Keys get ids that all workers share
 * and ranks, their places in the order of the result; slices are listed by time. The states stay
 * where they are: readers merge them on the way out.
 */
#pragma once

#include "engine/exec/aggregate_store.h"

struct aggregate_merged {
    const struct aggregate_layout *layout;
    struct aggregate_store *stores;
    unsigned store_count;

    bool keyed;                   /* radix: nothing is known of keys here, and key_count is 1 */
    uint32_t key_count;           /* 1 without key columns */
    struct oriel_key_table *keys; /* of store 0, extended by those of the others; row = key id */
    uint32_t *key_of_rank;
    uint32_t **rank_of_local; /* [store][the store's key id] */
    uint32_t **local_of_rank; /* [store][rank]: the store's key id, or ORIEL_KEY_NONE */

    uint32_t slice_count; /* distinct starts, ascending */
    int64_t *slice_starts_ms;
    uint32_t **local_slices; /* [store][slice]: the store's slice, or AGGREGATE_NO_SLICE */

    /* Hashed stores: groups by slice; slice s has list[begin[s] .. begin[s + 1]). Others: NULL. */
    uint32_t **list_begins;
    uint32_t **lists;
};

enum oriel_status aggregate_merge(const struct aggregate_layout *layout,
                                  struct aggregate_store *stores, unsigned store_count,
                                  struct aggregate_merged *merged, struct oriel_error *error);
void aggregate_merged_deinit(struct aggregate_merged *merged);

/* The groups of slice number `slice` in all stores: at least as many as there are keys in it. */
size_t aggregate_slice_bound(const struct aggregate_merged *merged, uint32_t slice);

/* Those of them that lie in pieces. */
size_t aggregate_slice_packed(const struct aggregate_merged *merged, uint32_t slice);

/* Whether a store is of the hashed form. */
bool aggregate_merged_hashed(const struct aggregate_merged *merged);

/* The first slice that starts at `start_ms` or later; slice_count when there is none. */
uint32_t aggregate_slice_from(const struct aggregate_merged *merged, int64_t start_ms);
