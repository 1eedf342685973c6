/*
 * Inside aggregation: the result as a source. A shape of windows says which pieces there are
 * (claim, in the order of the result) and puts the groups of one piece together (read).
 */
#pragma once

#include <pthread.h>

#include "engine/exec/aggregate_output.h"

struct aggregate_source;

/* One reading worker. */
struct aggregate_reader {
    struct aggregate_source *source;
    struct aggregate_output output;
    struct oriel_arena arena; /* merged slices and entries of one morsel */
    bool states_too_large;    /* HOP: for the sums of a block */
};

struct aggregate_shape {
    /* Fills begin and end of the next morsel; ORIEL_DONE after the last. One caller at a time. */
    enum oriel_status (*claim)(struct aggregate_source *source, struct oriel_morsel *morsel);
    enum oriel_status (*read)(struct aggregate_reader *reader, const struct oriel_morsel *morsel,
                              struct oriel_error *error);
    bool single_use; /* no group is needed for two rows */
};

/* A session of the result: entries of one rank, from entry_begin on. */
struct aggregate_session {
    int64_t first_ms;
    int64_t last_ms;
    uint32_t entry_begin;
    uint32_t entry_count;
};

struct aggregate_source {
    struct oriel_source base;
    struct aggregate_merged *merged;
    const struct aggregate_shape *shape;
    unsigned reader_count;
    struct aggregate_reader *readers;
    pthread_mutex_t lock;
    uint64_t next_number;

    /* Where claim stands; for the use of the shape. */
    uint32_t next_slice;
    uint32_t next_rank;
    int64_t next_start_ms;
    int64_t next_step;
    bool started;

    /* SESSION */
    struct aggregate_entry *entries; /* by rank, then first time */
    size_t entry_count;
    uint32_t *rank_begins;              /* of the entries of each rank, and of its sessions */
    struct aggregate_session *sessions; /* those of rank r from rank_begins[r] on */
    uint32_t *session_counts;           /* of each rank */
    size_t session_count;
    uint32_t *session_order; /* places in `sessions`, by bucket */
    uint32_t *bucket_begins;
    uint64_t bucket_count;
    uint64_t bucket_ms;
    int64_t least_last_ms;
    uint64_t next_bucket;
};

extern const struct aggregate_shape aggregate_shape_slices; /* no window, TUMBLE */
extern const struct aggregate_shape aggregate_shape_hop;
extern const struct aggregate_shape aggregate_shape_cumulate;
extern const struct aggregate_shape aggregate_shape_session;

/* Makes the sessions of the result from those of the workers. */
enum oriel_status aggregate_sessions_prepare(struct aggregate_source *source,
                                             struct oriel_error *error);
void aggregate_sessions_release(struct aggregate_source *source);

enum oriel_status aggregate_source_open(struct aggregate_merged *merged, struct oriel_source **out,
                                        struct oriel_error *error);
