/*
 * Inside aggregation: one reader's way out. Groups are put together state by state, and whenever a
 * batch is full it is finished and pushed.
 */
#pragma once

#include <string.h>

#include "engine/exec/aggregate_merge.h"

enum {
    AGGREGATE_LONG_BYTES_MAX = 4 << 20, /* of merged states of a batch; of results: the next batch
                                           gets fewer rows */
};

struct aggregate_output {
    const struct aggregate_merged *merged;
    struct oriel_column_buffers buffers; /* columns of the plan's schema */
    struct oriel_column *columns;        /* of a batch: they borrow the buffers */
    struct oriel_arena arena; /* what merged states and results point to, for one batch */
    bool single_use;          /* every group is put out at most once */
    size_t capacity;
    size_t row_limit; /* of a batch; fewer than capacity where results are long */
    size_t count;
    char *states;
    uint32_t *keys;     /* shared key ids; keyed: rows of key columns until those are copied */
    size_t keyed_count; /* keyed: rows whose keys are copied */
    int64_t *starts_ms;
    int64_t *ends_ms;
    uint64_t first_row;
    oriel_push *push;
    void *push_context;
};

enum oriel_status aggregate_output_open(struct aggregate_output *output,
                                        const struct aggregate_merged *merged, bool single_use,
                                        struct oriel_error *error);
void aggregate_output_close(struct aggregate_output *output);

/* Before the rows of a morsel. */
void aggregate_output_begin(struct aggregate_output *output, const struct oriel_morsel *morsel,
                            oriel_push *push, void *push_context);

/* Groups with states that nobody will touch again: copies their bytes, for `single_use` or states
 * that are plain. Keyed: `ranks` are rows of the columns that are given to copy_keys next. */
enum oriel_status aggregate_output_add_all(struct aggregate_output *output, const uint32_t *ranks,
                                           const char *const *states, size_t count,
                                           int64_t start_ms, int64_t end_ms,
                                           struct oriel_error *error);

/* Room for so many more rows before a flush. */
static inline size_t aggregate_output_room(const struct aggregate_output *output) {
    return output->row_limit - output->count;
}

/* Keyed: copies the keys of the rows that came since the last call. */
void aggregate_output_copy_keys(struct aggregate_output *output,
                                const struct oriel_column *columns);

/* Pushes what is left. */
enum oriel_status aggregate_output_flush(struct aggregate_output *output,
                                         struct oriel_error *error);

/* Adds the states of one group to those of another, aggregate by aggregate. */
enum oriel_status aggregate_merge_each(const struct aggregate_layout *layout,
                                       struct oriel_arena *arena, char *into, const char *from,
                                       struct oriel_error *error);

/* Adds the states `from` of one group to `into`. `fresh`: `into` is still zero. */
static inline enum oriel_status aggregate_merge_states(const struct aggregate_layout *layout,
                                                       struct oriel_arena *arena, bool single_use,
                                                       bool fresh, char *into, const char *from,
                                                       struct oriel_error *error) {
    const size_t stride = layout->stride_bytes;
    if (fresh && (layout->plain_states || single_use)) {
        for (size_t at = 0; at < stride; at += 16) /* a call costs more */
            memcpy(into + at, from + at, 16);
        return ORIEL_OK;
    }
    if (!layout->adds_words)
        return aggregate_merge_each(layout, arena, into, from, error);
    for (size_t at = 0; at < stride; at += 16) {
        uint64_t a[2], b[2];
        memcpy(a, into + at, sizeof a);
        memcpy(b, from + at, sizeof b);
        a[0] += b[0];
        a[1] += b[1];
        memcpy(into + at, a, sizeof a);
    }
    return ORIEL_OK;
}

/* The states, not set yet, of the next row of the result. */
static inline enum oriel_status aggregate_output_next(struct aggregate_output *output,
                                                      uint32_t rank, int64_t start_ms,
                                                      int64_t end_ms, char **states,
                                                      struct oriel_error *error) {
    if (!aggregate_output_room(output) ||
        (output->count && output->arena.total_bytes > AGGREGATE_LONG_BYTES_MAX))
        ORIEL_TRY(aggregate_output_flush(output, error));
    const size_t row = output->count++;
    *states = output->states + row * output->merged->layout->stride_bytes;
    output->starts_ms[row] = start_ms;
    output->ends_ms[row] = end_ms;
    output->keys[row] = output->merged->key_of_rank[rank];
    return ORIEL_OK;
}

/* The states, all zero, of the next row. */
static inline enum oriel_status aggregate_output_add(struct aggregate_output *output, uint32_t rank,
                                                     int64_t start_ms, int64_t end_ms,
                                                     char **states, struct oriel_error *error) {
    ORIEL_TRY(aggregate_output_next(output, rank, start_ms, end_ms, states, error));
    memset(*states, 0, output->merged->layout->stride_bytes);
    return ORIEL_OK;
}

/* The states of the next row, which are those of a group that others need too. */
static inline enum oriel_status aggregate_output_add_copy(struct aggregate_output *output,
                                                          uint32_t rank, int64_t start_ms,
                                                          int64_t end_ms, const char *from,
                                                          char **states,
                                                          struct oriel_error *error) {
    const struct aggregate_layout *layout = output->merged->layout;
    ORIEL_TRY(aggregate_output_next(output, rank, start_ms, end_ms, states, error));
    if (!layout->plain_states)
        memset(*states, 0, layout->stride_bytes);
    return aggregate_merge_states(layout, &output->arena, false, true, *states, from, error);
}
