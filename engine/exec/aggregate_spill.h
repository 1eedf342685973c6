/*
 * Inside aggregation: groups that memory cannot hold. A worker that runs short writes all its
 * groups to temporary files, in partitions by the hash of the key, and starts anew. In the end each
 * partition is read back, merged and finished by itself, and a sort puts the rows of all partitions
 * in the order of the result.
 */
#pragma once

#include <pthread.h>

#include "engine/exec/aggregate_store.h"
#include "engine/exec/spill.h"

enum { AGGREGATE_PARTITION_BITS = 6, AGGREGATE_PARTITIONS = 1 << AGGREGATE_PARTITION_BITS };

/* One worker's part of a partition: keys and states of the same groups, block by block. */
struct aggregate_partition {
    struct oriel_spill_stream keys;
    struct oriel_spill_stream states;
};

struct aggregate_spill {
    const struct aggregate_layout *layout;
    pthread_mutex_t lock;     /* for opening the file */
    struct oriel_arena arena; /* the plan of the sort */
    struct oriel_spill *file;
    unsigned worker_count;
    struct aggregate_partition *partitions; /* [worker * AGGREGATE_PARTITIONS + partition] */
};

enum oriel_status aggregate_spill_init(struct aggregate_spill *spill,
                                       const struct aggregate_layout *layout, unsigned worker_count,
                                       struct oriel_error *error);
void aggregate_spill_deinit(struct aggregate_spill *spill);

/* Whether the groups of `store` should be written out before `row_count` more rows come. */
bool aggregate_spill_wanted(const struct aggregate_store *store, size_t row_count);

/* Writes all groups of a worker's store out and empties the store. */
enum oriel_status aggregate_spill_store(struct aggregate_spill *spill, unsigned worker,
                                        struct aggregate_store *store, struct oriel_error *error);

/* States of one group, as they are read back. */
enum oriel_status aggregate_spill_states(const struct aggregate_layout *layout,
                                         struct oriel_spill_stream *stream, const char *states,
                                         struct oriel_error *error);

/* Writes the groups of a store of the radix strategy to the worker's partitions. */
enum oriel_status aggregate_spill_keyed(const struct aggregate_store *store,
                                        struct aggregate_partition *partitions,
                                        struct oriel_error *error);

static inline bool aggregate_spilled(const struct aggregate_spill *spill) {
    return spill->file != NULL;
}

/* The source of the result, made of all partitions. Everything has been written out. */
enum oriel_status aggregate_spill_finish(struct aggregate_spill *spill, struct oriel_source **out,
                                         struct oriel_sink **sort, struct oriel_error *error);
