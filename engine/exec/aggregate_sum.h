/*
 * Inside aggregation: what all stores know of one slice, key by key. One a reader, used again for
 * each slice.
 */
#pragma once

#include "engine/exec/aggregate_merge.h"

struct aggregate_sum {
    const struct aggregate_merged *merged;
    size_t count;
    uint32_t *ranks;     /* ascending, each once */
    const char **states; /* of each; stay until the next slice */

    /* Room. */
    size_t capacity;   /* of entries */
    uint64_t *keys;    /* of entries: rank << 32 | entry */
    uint64_t *scratch; /* as large */
    const char **entry_states;
    uint32_t *numbers; /* two for each entry */
    char *unpacked;    /* states out of pieces */
    size_t unpacked_capacity;
    uint32_t *entry_of_rank; /* entry + 1; all zero between slices */
    size_t rank_capacity;
    char *added; /* states that are sums of several entries */
    size_t added_capacity, added_count;
};

void aggregate_sum_init(struct aggregate_sum *sum, const struct aggregate_merged *merged);
void aggregate_sum_deinit(struct aggregate_sum *sum);

/*
 * Adds up slice number `slice`, as far as ranks lie in [rank_begin, rank_end). `single_use`: nobody
 * will read the slice again. What states point to may lie in `arena` then.
 */
enum oriel_status aggregate_sum_slice(struct aggregate_sum *sum, uint32_t slice,
                                      uint32_t rank_begin, uint32_t rank_end, bool single_use,
                                      struct oriel_arena *arena, struct oriel_error *error);
