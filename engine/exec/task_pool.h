/*
 * Threads that run the same function at once, each with its worker number. One pool an engine.
 */
#pragma once

#include "engine/base/memory.h"
#include "engine/base/status.h"

struct oriel_task_pool;

/* Threads of the program: see struct oriel_engine_options. */
struct oriel_executor {
    void (*execute)(void *context, void (*task)(void *argument, uint32_t worker), void *argument,
                    uint32_t worker_count);
    void *context;
};

/* With an executor, the workers of a run are its tasks and no thread is started; without (NULL),
 * starts thread_count - 1 threads (the caller is worker 0); with fewer to be had, fewer: see
 * oriel_task_pool_worker_count. ORIEL_MEMORY when not even the pool can be made. */
enum oriel_status oriel_task_pool_open(struct oriel_memory *memory, unsigned thread_count,
                                       const struct oriel_executor *executor,
                                       struct oriel_task_pool **out, struct oriel_error *error);
void oriel_task_pool_close(struct oriel_task_pool **pool);

/* The executor of the pool, or NULL. */
const struct oriel_executor *oriel_task_pool_executor(const struct oriel_task_pool *pool);

unsigned oriel_task_pool_worker_count(const struct oriel_task_pool *pool);

/*
 * Runs work(context, worker, error) on every worker and waits for all. Returns the status of the
 * failing worker with the lowest number and its error; the others are expected to stop soon by
 * looking at a flag of theirs.
 */
typedef enum oriel_status oriel_task(void *context, unsigned worker, struct oriel_error *error);
enum oriel_status oriel_task_pool_run(struct oriel_task_pool *pool, oriel_task *work, void *context,
                                      struct oriel_error *error);
