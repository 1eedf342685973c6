/*
 * Inside Top-N and deduplication: one worker's groups. A group is a key within a window; groups
 * are numbered 0, 1, 2 ... in order of their first row. Most rows are in the window of the row
 * before them, so each window has an index of its own that stays in the cache: an array by key id
 * where most keys occur in it, a hash table otherwise.
 */
#pragma once

#include "engine/exec/key_table.h"
#include "engine/exec/top_layout.h"

/* A group in the index of its window. */
struct oriel_top_member {
    uint32_t key, group;
};

struct oriel_top_window {
    int64_t end, start;
    uint32_t *by_key;                /* group + 1 by key id, 0: none; or NULL */
    struct oriel_top_member *hashed; /* by hash of the key, group + 1; or NULL */
    uint32_t capacity;               /* of the one that there is; a power of two when hashed */
    uint32_t group_count;
};

struct oriel_top_groups {
    const struct oriel_top_layout *layout;
    struct oriel_memory *memory;
    struct oriel_key_table keys; /* unused without keys: the key is 0 */
    struct oriel_arena arena;    /* indexes of the windows */
    size_t large_bytes;          /* of indexes that are not in the arena */
    struct oriel_top_window *windows;
    uint32_t window_count, window_capacity;
    uint32_t *window_slots; /* window + 1 by hash */
    uint32_t window_slot_count;
    uint32_t current; /* window of the last row */
    uint32_t group_count;
    /* of a batch */
    uint32_t *key_ids;
    struct oriel_column *key_columns;
};

enum oriel_status oriel_top_groups_init(struct oriel_top_groups *groups,
                                        const struct oriel_top_layout *layout,
                                        const struct oriel_runtime *runtime,
                                        struct oriel_error *error);
void oriel_top_groups_deinit(struct oriel_top_groups *groups);

/* ids[i] = group of row i. When it fails, groups that no row was given may have been made. */
enum oriel_status oriel_top_groups_find(struct oriel_top_groups *groups,
                                        const struct oriel_batch *batch, uint32_t *ids,
                                        struct oriel_error *error);

/* Gives the next group of a window, in any order; *slot starts as 0. False at the end. */
bool oriel_top_groups_next(const struct oriel_top_groups *groups,
                           const struct oriel_top_window *window, uint32_t *slot,
                           struct oriel_top_member *member);

/* Key ids that there are; 1 without keys. */
uint32_t oriel_top_groups_key_count(const struct oriel_top_groups *groups);

/* Bytes that it holds. */
size_t oriel_top_groups_bytes(const struct oriel_top_groups *groups);
