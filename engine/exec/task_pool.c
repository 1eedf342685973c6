/*
 * The threads of an engine, or those of the program behind its executor. They sleep on a condition
 * variable; a run bumps a generation counter, the caller works as worker 0, and the last thread to
 * end wakes it.
 */
#include "engine/exec/task_pool.h"

#include <pthread.h>
#include <stdbool.h>

struct worker {
    struct oriel_task_pool *pool;
    unsigned number;
    pthread_t thread;
    enum oriel_status status;
    struct oriel_error error;
};

struct oriel_task_pool {
    struct oriel_memory *memory;
    struct oriel_executor executor; /* execute is NULL: threads of our own */
    pthread_mutex_t lock;
    pthread_cond_t wake; /* a run has begun, or the pool closes */
    pthread_cond_t idle; /* running_count has come to 0 */
    unsigned worker_count;
    unsigned worker_capacity;
    unsigned running_count;
    uint64_t generation; /* of the current run */
    bool closing;
    oriel_task *work;
    void *context;
    struct worker workers[];
};

static size_t pool_bytes(unsigned worker_capacity) {
    return sizeof(struct oriel_task_pool) + worker_capacity * sizeof(struct worker);
}

static void *thread_main(void *argument) {
    struct worker *worker = argument;
    struct oriel_task_pool *pool = worker->pool;
    uint64_t seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->generation == seen && !pool->closing)
            pthread_cond_wait(&pool->wake, &pool->lock);
        if (pool->closing)
            break;
        seen = pool->generation;
        oriel_task *work = pool->work;
        void *context = pool->context;
        pthread_mutex_unlock(&pool->lock);
        worker->status = work(context, worker->number, &worker->error);
        pthread_mutex_lock(&pool->lock);
        if (--pool->running_count == 0)
            pthread_cond_signal(&pool->idle);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static void start_threads(struct oriel_task_pool *pool) {
    for (unsigned i = 1; i < pool->worker_capacity; i++) {
        if (pthread_create(&pool->workers[i].thread, NULL, thread_main, &pool->workers[i]))
            break;
        pool->worker_count++;
    }
}

enum oriel_status oriel_task_pool_open(struct oriel_memory *memory, unsigned thread_count,
                                       const struct oriel_executor *executor,
                                       struct oriel_task_pool **out, struct oriel_error *error) {
    const unsigned capacity = thread_count ? thread_count : 1;
    struct oriel_task_pool *pool = oriel_memory_allocate_zeroed(memory, 1, pool_bytes(capacity));
    if (!pool)
        return oriel_error_memory(error);
    pool->memory = memory;
    pool->worker_count = 1;
    pool->worker_capacity = capacity;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->idle, NULL);
    for (unsigned i = 0; i < capacity; i++) {
        pool->workers[i].pool = pool;
        pool->workers[i].number = i;
    }
    if (executor && executor->execute) {
        pool->executor = *executor;
        pool->worker_count = capacity;
    } else {
        start_threads(pool);
    }
    *out = pool;
    return ORIEL_OK;
}

void oriel_task_pool_close(struct oriel_task_pool **pool_pointer) {
    struct oriel_task_pool *pool = *pool_pointer;
    if (!pool)
        return;
    *pool_pointer = NULL;
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 1; i < pool->worker_count && !pool->executor.execute; i++)
        pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->idle);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
    oriel_memory_release(pool->memory, pool, pool_bytes(pool->worker_capacity));
}

unsigned oriel_task_pool_worker_count(const struct oriel_task_pool *pool) {
    return pool->worker_count;
}

const struct oriel_executor *oriel_task_pool_executor(const struct oriel_task_pool *pool) {
    return pool->executor.execute ? &pool->executor : NULL;
}

/* What the executor calls. */
static void run_worker(void *argument, uint32_t number) {
    struct oriel_task_pool *pool = argument;
    struct worker *worker = &pool->workers[number];
    worker->status = pool->work(pool->context, number, &worker->error);
}

static void run_threads(struct oriel_task_pool *pool) {
    struct worker *first = &pool->workers[0];
    pthread_mutex_lock(&pool->lock);
    pool->running_count = pool->worker_count - 1;
    pool->generation++;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    first->status = pool->work(pool->context, 0, &first->error);
    pthread_mutex_lock(&pool->lock);
    while (pool->running_count)
        pthread_cond_wait(&pool->idle, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

enum oriel_status oriel_task_pool_run(struct oriel_task_pool *pool, oriel_task *work, void *context,
                                      struct oriel_error *error) {
    if (pool->worker_count == 1)
        return work(context, 0, error);
    pool->work = work;
    pool->context = context;
    if (pool->executor.execute)
        pool->executor.execute(pool->executor.context, run_worker, pool, pool->worker_count);
    else
        run_threads(pool);
    for (unsigned i = 0; i < pool->worker_count; i++) {
        if (pool->workers[i].status == ORIEL_OK)
            continue;
        if (error)
            *error = pool->workers[i].error;
        return pool->workers[i].status;
    }
    return ORIEL_OK;
}
