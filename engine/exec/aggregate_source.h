/*
 * Inside aggregation: the result as a source. A shape of windows says which pieces there are
 * (claim, in the order of the result) and puts the groups of one piece together (read).
 */
#pragma once

#include <pthread.h>

#include "engine/exec/aggregate_output.h"
#include "engine/exec/aggregate_sum.h"

struct aggregate_source;

/* The groups of a slice with their keys. One a reader, used again for each slice. */
struct aggregate_keyed_slice {
    const struct aggregate_layout *layout;
    size_t capacity;
    struct oriel_column_buffers keys; /* of all groups */
    struct oriel_column *views;       /* the same for whom reads: no validity without a NULL */
    bool has_nulls;
    char *states;
    uint64_t *words;
    uint32_t *order; /* groups by key */
};

/* One reading worker. */
struct aggregate_reader {
    struct aggregate_source *source;
    struct aggregate_output output;
    struct aggregate_sum sum;
    struct aggregate_keyed_slice keyed;
    struct oriel_arena arena; /* of one morsel or slice */
    bool states_too_large;    /* HOP: for the sums of a block */
};

struct aggregate_shape {
    /* Fills begin and end of the next morsel; ORIEL_DONE after the last. One caller at a time. */
    enum oriel_status (*claim)(struct aggregate_source *source, struct oriel_morsel *morsel);
    enum oriel_status (*read)(struct aggregate_reader *reader, const struct oriel_morsel *morsel,
                              struct oriel_error *error);
    bool single_use; /* no group is needed for two rows */
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

    uint64_t *groups_before; /* HOP, CUMULATE: groups of slices 0 .. s - 1; one more than slices */
    struct aggregate_sessions *sessions; /* SESSION */
};

extern const struct aggregate_shape aggregate_shape_slices; /* no window, TUMBLE */
extern const struct aggregate_shape aggregate_shape_hop;
extern const struct aggregate_shape aggregate_shape_cumulate;
extern const struct aggregate_shape aggregate_shape_session;

/* When reader->arena has grown large: puts out what refers to it, and empties it. */
enum oriel_status aggregate_reader_spare(struct aggregate_reader *reader,
                                         struct oriel_error *error);

/* Makes the sessions of the result from those of the workers. */
enum oriel_status aggregate_sessions_prepare(struct aggregate_source *source,
                                             struct oriel_error *error);
void aggregate_sessions_release(struct aggregate_source *source);

/* Groups of the slices that start in [begin_ms, end_ms). */
uint64_t aggregate_groups_between(const struct aggregate_source *source, int64_t begin_ms,
                                  int64_t end_ms);

enum oriel_status aggregate_source_open(struct aggregate_merged *merged, struct oriel_source **out,
                                        struct oriel_error *error);
