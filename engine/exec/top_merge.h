/*
 * Inside Top-N and deduplication: what all workers kept, seen as one. Keys get ranks, their places
 * in the order of the result; windows are listed by time, and the groups of each window by rank, so
 * that rows come out in order without being sorted themselves.
 */
#pragma once

#include "engine/exec/top_filter.h"

struct oriel_source;

struct oriel_top_merge {
    const struct oriel_runtime *runtime;
    const struct oriel_top_layout *layout;
    struct oriel_top_filter *const *filters;
    unsigned filter_count;
    struct oriel_arena arena;

    struct oriel_key_table *keys; /* of the first filter, extended by those of the others */
    uint32_t own_key_count;       /* of the first filter alone */
    uint32_t key_count;           /* 1 without keys */
    uint32_t *key_of_rank;
    uint32_t **rank_of_key; /* [filter][the filter's key id] */

    uint32_t window_count; /* ascending by end, then start */
    int64_t *ends, *starts;
    uint32_t **window_of; /* [filter][the filter's window] */

    uint32_t **begins; /* [filter][window]: groups of window i are groups[begins[i]] .. before */
    uint32_t **groups; /* begins[i + 1], by the rank of their keys */
};

/* Reads the filters; they must outlive it. ORIEL_MEMORY leaves them as they were. */
enum oriel_status oriel_top_merge_init(struct oriel_top_merge *merge,
                                       const struct oriel_runtime *runtime,
                                       const struct oriel_top_layout *layout,
                                       struct oriel_top_filter *const *filters,
                                       unsigned filter_count, struct oriel_error *error);
void oriel_top_merge_deinit(struct oriel_top_merge *merge);

static inline uint32_t oriel_top_rank(const struct oriel_top_merge *merge, unsigned filter,
                                      uint32_t group) {
    return merge->rank_of_key[filter][merge->filters[filter]->groups.group_keys[group]];
}

/* The rows of the result in order; they must be read before the merge ends. */
enum oriel_status oriel_top_source_open(const struct oriel_top_merge *merge,
                                        struct oriel_source **out, struct oriel_error *error);
