/*
 * Reads an execution piece by piece: a run on a thread of its own makes them, a short queue stands
 * between it and the caller.
 */
#include "engine/exec/pull.h"

#include <pthread.h>

#include "engine/exec/task_pool.h"

enum { QUEUE_LENGTH_MAX = 4 };

struct link {
    struct link *next;
    void *piece;
};

struct oriel_pull {
    struct oriel_execution *execution;
    struct oriel_runtime *runtime;
    struct oriel_task_pool *engine_pool;
    struct oriel_task_pool *own_pool;
    struct oriel_piece_maker maker; /* of the caller, who takes what is delivered */
    bool threaded;
    pthread_t thread;
    pthread_mutex_t lock; /* of the fields below */
    pthread_cond_t changed;
    struct link *first, **last;
    uint32_t queue_length;
    bool stopping; /* the caller wants no more */
    bool ended;
    enum oriel_status status; /* of the run, once ended */
    struct oriel_error error;
};

static enum oriel_status begin_piece(void *context, unsigned worker, void **out,
                                     struct oriel_error *error) {
    const struct oriel_pull *self = context;
    return self->maker.begin(self->maker.context, worker, out, error);
}

static enum oriel_status add_to_piece(void *context, void *piece, const struct oriel_batch *batch,
                                      struct oriel_error *error) {
    const struct oriel_pull *self = context;
    return self->maker.add(self->maker.context, piece, batch, error);
}

static void drop_piece(void *context, void *piece) {
    const struct oriel_pull *self = context;
    self->maker.drop(self->maker.context, piece);
}

static enum oriel_status deliver_piece(void *context, void *piece, struct oriel_error *error) {
    struct oriel_pull *self = context;
    struct link *link = oriel_memory_allocate(self->runtime->memory, sizeof *link);
    if (!link) {
        drop_piece(self, piece);
        return oriel_error_memory(error);
    }
    *link = (struct link){.piece = piece};
    pthread_mutex_lock(&self->lock);
    while (self->threaded && self->queue_length >= QUEUE_LENGTH_MAX && !self->stopping)
        pthread_cond_wait(&self->changed, &self->lock);
    const bool stopping = self->stopping;
    if (!stopping) {
        *self->last = link;
        self->last = &link->next;
        self->queue_length++;
        pthread_cond_broadcast(&self->changed);
    }
    pthread_mutex_unlock(&self->lock);
    if (!stopping)
        return ORIEL_OK;
    drop_piece(self, piece);
    oriel_memory_release(self->runtime->memory, link, sizeof *link);
    return oriel_error_set(error, ORIEL_CANCELLED, "the result was closed");
}

static void *run_all(void *context) {
    struct oriel_pull *self = context;
    const struct oriel_piece_maker maker = {.context = self,
                                            .is_full = self->maker.is_full,
                                            .begin = begin_piece,
                                            .add = add_to_piece,
                                            .deliver = deliver_piece,
                                            .drop = drop_piece};
    struct oriel_error error = {0};
    const enum oriel_status status = oriel_execution_run(self->execution, &maker, &error);
    pthread_mutex_lock(&self->lock);
    self->status = status;
    self->error = error;
    self->ended = true;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->lock);
    return NULL;
}

enum oriel_status oriel_pull_open(struct oriel_execution *execution, struct oriel_runtime *runtime,
                                  const struct oriel_piece_maker *maker, struct oriel_pull **out,
                                  struct oriel_error *error) {
    struct oriel_pull *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    if (!self)
        return oriel_error_memory(error);
    *self = (struct oriel_pull){.execution = execution,
                                .runtime = runtime,
                                .engine_pool = runtime->pool,
                                .maker = *maker,
                                .last = &self->first};
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->changed, NULL);
    enum oriel_status status = ORIEL_OK;
    if (runtime->pool)
        status =
            oriel_task_pool_open(runtime->memory, oriel_task_pool_worker_count(runtime->pool),
                                 oriel_task_pool_executor(runtime->pool), &self->own_pool, error);
    if (status != ORIEL_OK) {
        oriel_pull_close(&self);
        return status;
    }
    runtime->pool = self->own_pool;
    self->threaded = true;
    if (pthread_create(&self->thread, NULL, run_all, self)) {
        self->threaded = false;
        run_all(self);
    }
    *out = self;
    return ORIEL_OK;
}

/* The next of the queue, or NULL; the lock is held. */
static void *take_first(struct oriel_pull *self) {
    struct link *link = self->first;
    if (!link)
        return NULL;
    void *piece = link->piece;
    self->first = link->next;
    if (!self->first)
        self->last = &self->first;
    self->queue_length--;
    oriel_memory_release(self->runtime->memory, link, sizeof *link);
    return piece;
}

void oriel_pull_close(struct oriel_pull **pull) {
    struct oriel_pull *self = *pull;
    if (!self)
        return;
    *pull = NULL;
    pthread_mutex_lock(&self->lock);
    self->stopping = true;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->lock);
    if (self->threaded)
        pthread_join(self->thread, NULL);
    oriel_task_pool_close(&self->own_pool);
    self->runtime->pool = self->engine_pool;
    for (void *piece; (piece = take_first(self));)
        drop_piece(self, piece);
    pthread_cond_destroy(&self->changed);
    pthread_mutex_destroy(&self->lock);
    oriel_memory_release(self->runtime->memory, self, sizeof *self);
}

enum oriel_status oriel_pull_next(struct oriel_pull *self, void **piece,
                                  struct oriel_error *error) {
    pthread_mutex_lock(&self->lock);
    while (!self->first && !self->ended)
        pthread_cond_wait(&self->changed, &self->lock);
    *piece = take_first(self);
    const enum oriel_status status = self->status;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->lock);
    if (*piece)
        return ORIEL_OK;
    if (status == ORIEL_OK)
        return ORIEL_DONE;
    if (error)
        *error = self->error;
    return status;
}
