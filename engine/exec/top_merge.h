/*
 * Inside Top-N and deduplication: what all workers kept, seen as one. Keys get ranks, their places
 * in the order of the result; windows are listed by time, and the groups of a window by rank when
 * it is read, so that rows come out in order without being sorted themselves.
 */
#pragma once

#include "engine/exec/top_filter.h"

struct oriel_source;

/* Windows of more groups, of all filters together, are read by several workers. */
enum { ORIEL_TOP_LARGE_WINDOW = 1 << 15 };

struct oriel_top_ranked {
    uint32_t rank; /* of the key */
    uint32_t group;
};

/* Groups of a window and filter, ascending by rank. */
struct oriel_top_list {
    struct oriel_top_ranked *groups;
    size_t count, capacity;
};

/* What making lists needs, one a worker; starts as zeros. */
struct oriel_top_room {
    uint32_t *group_of_rank; /* + 1; all zero between lists */
    size_t rank_count;
    uint64_t *words; /* 2 * capacity */
    uint32_t *payload;
    size_t capacity;
};

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
    const struct oriel_top_window ***windows; /* [filter][window]; NULL: it has none of its rows */

    struct oriel_top_list **large_lists; /* [filter][window]: of large windows, made ahead */
};

/* Reads the filters; they must outlive it. ORIEL_MEMORY leaves them as they were. */
enum oriel_status oriel_top_merge_init(struct oriel_top_merge *merge,
                                       const struct oriel_runtime *runtime,
                                       const struct oriel_top_layout *layout,
                                       struct oriel_top_filter *const *filters,
                                       unsigned filter_count, struct oriel_error *error);
void oriel_top_merge_deinit(struct oriel_top_merge *merge);

/* Groups of a window, of all filters. */
uint64_t oriel_top_group_count(const struct oriel_top_merge *merge, uint32_t window);

/* Makes the list of a window and filter; `list` is reused, and grown if need be. */
enum oriel_status oriel_top_list_make(const struct oriel_top_merge *merge,
                                      struct oriel_top_room *room, unsigned filter, uint32_t window,
                                      struct oriel_top_list *list, struct oriel_error *error);
void oriel_top_list_deinit(const struct oriel_top_merge *merge, struct oriel_top_list *list);
void oriel_top_room_deinit(const struct oriel_top_merge *merge, struct oriel_top_room *room);

/* The rows of the result in order; they must be read before the merge ends. */
enum oriel_status oriel_top_source_open(const struct oriel_top_merge *merge,
                                        struct oriel_source **out, struct oriel_error *error);
