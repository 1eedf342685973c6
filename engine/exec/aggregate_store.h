/*
 * Inside aggregation: one worker's groups. A group is a key within a slice, or one session so far
 * of a key. States of all groups lie one after the other; which group a row belongs to is found
 * through the slice's array by key id while keys are few (dense), through a hash table of (slice,
 * key) when most of those arrays would be empty (sparse).
 */
#pragma once

#include "engine/exec/aggregate_layout.h"

#define AGGREGATE_NO_SLICE UINT32_MAX

struct aggregate_slice {
    int64_t start_ms;       /* 0 without a window */
    uint32_t *group_of_key; /* dense: group + 1, 0 for none */
    uint32_t key_capacity;
};

/* The arrays with an entry a group, which grow together. */
enum {
    AGGREGATE_STATES,
    AGGREGATE_KEYS,
    AGGREGATE_SLICES,
    AGGREGATE_FIRST_TIMES,
    AGGREGATE_LAST_TIMES,
    AGGREGATE_ARRAYS,
};

struct aggregate_array {
    void *items;
    size_t item_bytes; /* 0: not used */
    size_t size_bytes;
};

struct aggregate_store {
    const struct aggregate_layout *layout;
    struct oriel_key_table keys; /* unused without key columns: the key is 0 */
    bool keys_open;
    struct oriel_arena arena; /* what states point to */

    uint32_t group_count;
    uint32_t group_capacity;
    struct aggregate_array arrays[AGGREGATE_ARRAYS]; /* owns the next five */
    char *states;
    uint32_t *group_keys;
    uint32_t *group_slices;    /* no session */
    int64_t *session_first_ms; /* session: least and greatest row time so far */
    int64_t *session_last_ms;

    struct aggregate_slice *slices;
    uint32_t slice_count;
    uint32_t slice_capacity;
    uint32_t *slice_slots; /* slice + 1 by hash of its start */
    uint32_t slice_slot_count;
    uint32_t current_slice; /* of the last row */
    size_t dense_entries;   /* of all arrays together */

    bool sparse;
    uint64_t *pair_slots; /* hash << 32 | group + 1 */
    size_t pair_slot_count;

    uint32_t *open_sessions; /* by key id: group + 1 of the session that took the last row */
    uint32_t open_capacity;

    /* Room for one batch. */
    int64_t *times;
    int64_t *slice_starts;
    uint32_t *key_ids;
    uint32_t *groups;
    uint64_t *rows;
    uint64_t *no_rows; /* all bits clear: validity of a key that its grouping set lacks */
    int32_t *set_ordinals;
    struct oriel_column *key_columns;
};

enum oriel_status aggregate_store_open(struct aggregate_store *store,
                                       const struct aggregate_layout *layout,
                                       struct oriel_error *error);
void aggregate_store_close(struct aggregate_store *store);

/*
 * Finds or makes the group of each row that `rows` selects (NULL: all) and writes it to
 * store->groups; others get 0. key ids are in store->key_ids, slice starts in store->slice_starts.
 */
enum oriel_status aggregate_store_find_slices(struct aggregate_store *store, const uint64_t *rows,
                                              size_t row_count, struct oriel_error *error);

/* The same for sessions; row times are in `times`. */
enum oriel_status aggregate_store_find_sessions(struct aggregate_store *store, const int64_t *times,
                                                const uint64_t *rows, size_t row_count,
                                                struct oriel_error *error);

/* Adds a session that stands by itself. */
enum oriel_status aggregate_store_add_session(struct aggregate_store *store, uint32_t key,
                                              int64_t first_ms, int64_t last_ms, uint32_t *group,
                                              struct oriel_error *error);

/* The slice that starts there, or AGGREGATE_NO_SLICE. */
uint32_t aggregate_store_slice_at(const struct aggregate_store *store, int64_t start_ms);
