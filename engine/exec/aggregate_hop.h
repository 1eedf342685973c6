/*
 * Inside aggregation: what a reader of HOP windows keeps for a morsel. All lies in the reader's
 * arena.
 */
#pragma once

#include "engine/exec/aggregate_source.h"

/* Groups of several slices, by rank and then slice: number i has the rank keys[i]; its slice and
 * states are at order[i]. */
struct hop_groups {
    size_t count;
    uint64_t *keys;
    uint32_t *order;
    uint64_t *scratch_keys;
    uint32_t *scratch_order;
    uint32_t *slices;
    char *states;
};

enum oriel_status hop_groups_reserve(struct aggregate_reader *reader, size_t count,
                                     struct hop_groups *groups, struct oriel_error *error);
void hop_groups_sort(const struct aggregate_reader *reader, struct hop_groups *groups);

/* A key with something in the current window. */
struct hop_key {
    uint32_t rank;
    uint32_t begin, end; /* its groups in the first window that are still in this one */
    uint32_t running;    /* its running sum behind the first window + 1; 0: none */
};

struct hop_keys {
    size_t count; /* ascending by rank */
    size_t capacity;
    struct hop_key *items;
    struct hop_key *scratch;
    char *states; /* the running sums */
    size_t state_count, state_capacity;
};

/* The keys of `groups`. */
enum oriel_status hop_keys_begin(struct aggregate_reader *reader, const struct hop_groups *groups,
                                 struct hop_keys *keys, struct oriel_error *error);

/* Adds the slice in reader->sum to the running sums. */
enum oriel_status hop_keys_add(struct aggregate_reader *reader, struct hop_keys *keys,
                               struct oriel_error *error);
