/*
 * Feeds the morsels of a source to all workers. Every claimed morsel is read exactly once.
 *
 * Errors are those of a run on one thread: when a morsel fails, the morsels before it are still
 * read to their end, later ones are stopped, and the error of the first failing morsel is the
 * result.
 */
#pragma once

#include <pthread.h>

#include "engine/base/runtime.h"
#include "engine/columns/source.h"
#include "engine/exec/task_pool.h"

/* The first failure so far, in the order of the input. */
struct oriel_failure {
    pthread_mutex_t lock;
    _Atomic uint64_t lowest; /* number of the failing morsel; UINT64_MAX: none */
    enum oriel_status status;
    struct oriel_error error;
};

void oriel_failure_init(struct oriel_failure *failure);
void oriel_failure_deinit(struct oriel_failure *failure);
void oriel_failure_note(struct oriel_failure *failure, uint64_t morsel, enum oriel_status status,
                        const struct oriel_error *error);
/* Whether a morsel before number `morsel` has failed. */
static inline bool oriel_failure_before(const struct oriel_failure *failure, uint64_t morsel) {
    return atomic_load_explicit(&failure->lowest, memory_order_relaxed) < morsel;
}
/* ORIEL_OK or the status and error of the first failure. */
enum oriel_status oriel_failure_result(const struct oriel_failure *failure,
                                       struct oriel_error *error);

/* A failure of no morsel (of a claim) comes after all that were claimed. */
#define ORIEL_FAILURE_LAST (UINT64_MAX - 1)

/* Workers that a run will have. */
unsigned oriel_worker_count(const struct oriel_runtime *runtime);

/* Runs `work` on every worker. */
enum oriel_status oriel_run_workers(const struct oriel_runtime *runtime, oriel_task *work,
                                    void *context, struct oriel_error *error);

/* Reads one morsel into `push`, which sees a look at cancellation and failures before each batch.
 * A push that ends the morsel early by ORIEL_DONE ends it well. */
enum oriel_status oriel_drive_morsel(const struct oriel_runtime *runtime,
                                     struct oriel_source *source, unsigned worker,
                                     const struct oriel_morsel *morsel,
                                     const struct oriel_failure *failure, oriel_push *push,
                                     void *context, struct oriel_error *error);

/* Receives the batches of one worker. */
typedef enum oriel_status oriel_worker_push(void *context, unsigned worker,
                                            const struct oriel_batch *batch,
                                            struct oriel_error *error);

/* Reads a started source to its end on all workers. */
enum oriel_status oriel_drive(const struct oriel_runtime *runtime, struct oriel_source *source,
                              oriel_worker_push *push, void *context, struct oriel_error *error);
