/*
 * A source of rows, cut into morsels that several workers read at once. Files, registered streams,
 * VALUES and finished operators are sources; exec reads them without knowing which.
 *
 *   claim     gives the next morsel, numbered 0, 1, 2 ... in the order of the input; any thread may
 *             call it, ORIEL_DONE at the end. Calls may block on reading.
 *   read      pushes all batches of one morsel, in order, to `push`; different morsels may be read
 *             by different workers at the same time, each with its own worker number below the
 *             worker_count that `start` got. Stops with the status of `push` when that fails.
 *   close     frees the source, also in the midst.
 */
#pragma once

#include "engine/columns/batch.h"

struct oriel_source;

struct oriel_morsel {
    uint64_t number;
    uint64_t begin; /* for the source's own use: byte or row range */
    uint64_t end;
    void *state;
    void *rejects; /* likewise: what is known of its bad rows */
};

/* Receives a batch; returns ORIEL_OK to go on. */
typedef enum oriel_status oriel_push(void *context, const struct oriel_batch *batch,
                                     struct oriel_error *error);

struct oriel_source_operations {
    enum oriel_status (*start)(struct oriel_source *source, unsigned worker_count,
                               struct oriel_error *error);
    enum oriel_status (*claim)(struct oriel_source *source, struct oriel_morsel *morsel,
                               struct oriel_error *error);
    enum oriel_status (*read)(struct oriel_source *source, unsigned worker,
                              const struct oriel_morsel *morsel, oriel_push *push, void *context,
                              struct oriel_error *error);
    void (*close)(struct oriel_source *source);
};

struct oriel_source {
    const struct oriel_source_operations *operations;
    struct oriel_schema schema; /* of the batches it pushes */
};
