/*
 * Inside aggregation: what is decided once for a plan node and then only read.
 */
#pragma once

#include "engine/exec/key_table.h"
#include "engine/exec/operator.h"

/* One grouping set: which columns of the input are the keys. */
struct aggregate_set {
    uint64_t keys; /* as in the plan: bit k set when key k takes part */
    int64_t grouping_id;
};

/* An aggregate without a state: MIN or MAX of the times that sessions are made of, which each
 * session has anyway. */
enum aggregate_bound { AGGREGATE_NO_BOUND, AGGREGATE_FIRST_TIME, AGGREGATE_LAST_TIME };

struct aggregate_layout {
    const struct oriel_plan *plan;
    const struct oriel_runtime *runtime;
    struct oriel_arena arena;

    /* A group's states: aggregate a at offsets[a] of stride bytes. */
    size_t stride_bytes;
    size_t *offsets;
    enum aggregate_bound *bounds;
    bool plain_states; /* none points elsewhere: a copy of the bytes is a copy of the state */
    bool adds_words;   /* merging states is the sum of each 64-bit word */
    bool long_results; /* some hold all values of their groups */
    enum oriel_strategy strategy; /* of groups; AUTO: by what the rows are like */
    enum oriel_strategy session;
    bool may_radix; /* the radix strategy can serve the plan */

    /* Key columns of the hash table: the plan's keys that are input columns, in order, then, with
     * several grouping sets, the ordinal of the set as INT. */
    struct oriel_schema key_schema;
    uint32_t key_column_count; /* without the ordinal */
    uint32_t *key_sizes;       /* bytes of a value, of each field of key_schema */
    uint32_t *key_inputs;      /* column of the input */
    uint32_t *key_positions;   /* key of the plan */
    uint32_t set_count;
    struct aggregate_set *sets; /* in order of grouping id */
    uint32_t sort_count;        /* order of the rows within a window: columns of key_schema */
    struct oriel_sort_item *sort_items;

    /* HOP, CUMULATE: a row is added to each of its windows, and a "slice" is a whole window, named
     * by its start (HOP) or its end (CUMULATE). */
    bool copies;

    /* Windows: slices of slice_ms, [slice_offset_ms + i * slice_ms, ...). 0 without a window. */
    const struct oriel_window *window;
    int64_t slice_ms;
    int64_t slice_offset_ms;
};

enum oriel_status aggregate_layout_init(struct aggregate_layout *layout,
                                        const struct oriel_plan *plan,
                                        const struct oriel_runtime *runtime,
                                        struct oriel_error *error);
void aggregate_layout_deinit(struct aggregate_layout *layout);

static inline bool aggregate_has_keys(const struct aggregate_layout *layout) {
    return layout->key_schema.field_count > 0;
}

/* The window that is one slice. */
void aggregate_slice_window(const struct aggregate_layout *layout, int64_t slice_start_ms,
                            int64_t *start_ms, int64_t *end_ms);

static inline bool aggregate_is_session(const struct aggregate_layout *layout) {
    return layout->window && layout->window->kind == ORIEL_WINDOW_SESSION;
}
