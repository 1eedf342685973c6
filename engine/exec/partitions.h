/*
 * Rows split by the hash of their keys, so that each part can be worked on alone: collected by all
 * workers, written to a temporary file when memory gets short, and loaded part by part.
 */
#pragma once

#include <pthread.h>

#include "engine/base/runtime.h"
#include "engine/columns/batch.h"
#include "engine/exec/spill.h"

struct oriel_partition_worker;

struct oriel_partitions {
    const struct oriel_runtime *runtime;
    struct oriel_schema schema; /* borrowed */
    uint32_t partition_count;
    unsigned bits;
    unsigned worker_count;
    struct oriel_partition_worker *workers;
    pthread_mutex_t lock;
    struct oriel_spill *spill;     /* NULL until needed */
    struct oriel_partitions *peer; /* NULL, or others that give memory back along with these */
};

enum oriel_status oriel_partitions_init(struct oriel_partitions *partitions,
                                        const struct oriel_runtime *runtime,
                                        struct oriel_schema schema, struct oriel_error *error);
void oriel_partitions_deinit(struct oriel_partitions *partitions);

/* Adds the rows of a batch by the hashes of their keys. */
enum oriel_status oriel_partitions_add(struct oriel_partitions *partitions, unsigned worker,
                                       const struct oriel_batch *batch, const uint64_t *hashes,
                                       struct oriel_error *error);

/* Writes the rows of all workers to the file, those of the peer too, since memory is short; any
 * thread. */
enum oriel_status oriel_partitions_relieve(struct oriel_partitions *partitions,
                                           struct oriel_error *error);

/* Appends all rows of a partition to `table` and frees them; rows come in no particular order.
 * After all adds; different partitions at the same time. */
enum oriel_status oriel_partitions_load(struct oriel_partitions *partitions, uint32_t partition,
                                        struct oriel_table *table, struct oriel_error *error);

/*
 * Calls `work` once for each partition, on all workers; one after the other when rows were spilled,
 * so that only one of them lies in memory. Errors are those of the first failing partition.
 */
typedef enum oriel_status oriel_partition_work(void *context, unsigned worker, uint32_t partition,
                                               struct oriel_error *error);
enum oriel_status oriel_partitions_each(struct oriel_partitions *partitions,
                                        oriel_partition_work *work, void *context,
                                        struct oriel_error *error);

/* Bytes of the rows of a partition, in the file and in memory. */
uint64_t oriel_partitions_bytes(const struct oriel_partitions *partitions, uint32_t partition);

/* Reads a partition whose rows are all in the file piece by piece, as often as wanted; every time
 * the pieces are the same. Starts as zeros but for the first two. */
struct oriel_partition_reader {
    const struct oriel_partitions *partitions;
    uint32_t partition;
    unsigned worker;
    struct oriel_spill_reader reader;
};

/* Appends about `size_bytes` bytes of rows to `table`; ORIEL_DONE when there are none. */
enum oriel_status oriel_partition_read(struct oriel_partition_reader *reader,
                                       struct oriel_table *table, size_t size_bytes,
                                       struct oriel_error *error);
void oriel_partition_reader_deinit(struct oriel_partition_reader *reader);
