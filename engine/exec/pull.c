/*
 * Reads an execution batch by batch: a run on a thread of its own makes tables, a short queue
 * stands between it and the caller.
 */
#include "engine/exec/pull.h"

#include <pthread.h>

#include "engine/exec/gather.h"
#include "engine/exec/task_pool.h"

enum { QUEUE_LENGTH_MAX = 2 };

struct piece {
    struct piece *next;
    struct oriel_table table;
};

struct oriel_pull {
    struct oriel_execution *execution;
    struct oriel_runtime *runtime;
    struct oriel_task_pool *engine_pool;
    struct oriel_task_pool *own_pool;
    struct oriel_schema schema;
    bool threaded;
    pthread_t thread;
    pthread_mutex_t lock; /* of the fields up to the blank line */
    pthread_cond_t changed;
    struct piece *first, **last;
    uint32_t queue_length;
    bool stopping; /* the caller wants no more */
    bool ended;
    enum oriel_status status; /* of the run, once ended */
    struct oriel_error error;

    struct piece *current; /* whose batches are being handed out */
    size_t next_row;
    struct oriel_batch batch;
    struct oriel_column *columns;
    uint64_t *words;
};

static enum oriel_status begin_piece(void *context, unsigned worker, void **out,
                                     struct oriel_error *error) {
    (void)worker;
    struct oriel_pull *self = context;
    struct piece *piece = oriel_memory_allocate_zeroed(self->runtime->memory, 1, sizeof *piece);
    if (!piece)
        return oriel_error_memory(error);
    oriel_table_init(&piece->table, self->runtime->memory, self->schema);
    *out = piece;
    return ORIEL_OK;
}

static enum oriel_status add_to_piece(void *context, void *piece, const struct oriel_batch *batch,
                                      struct oriel_error *error) {
    (void)context;
    return oriel_table_append(&((struct piece *)piece)->table, batch, NULL, 0, batch->row_count,
                              error);
}

static void drop_piece(void *context, void *dropped) {
    struct oriel_pull *self = context;
    struct piece *piece = dropped;
    oriel_table_deinit(&piece->table);
    oriel_memory_release(self->runtime->memory, piece, sizeof *piece);
}

static enum oriel_status deliver_piece(void *context, void *delivered, struct oriel_error *error) {
    struct oriel_pull *self = context;
    struct piece *piece = delivered;
    pthread_mutex_lock(&self->lock);
    while (self->threaded && self->queue_length >= QUEUE_LENGTH_MAX && !self->stopping)
        pthread_cond_wait(&self->changed, &self->lock);
    const bool stopping = self->stopping;
    if (!stopping) {
        piece->next = NULL;
        *self->last = piece;
        self->last = &piece->next;
        self->queue_length++;
        pthread_cond_broadcast(&self->changed);
    }
    pthread_mutex_unlock(&self->lock);
    if (!stopping)
        return ORIEL_OK;
    drop_piece(self, piece);
    return oriel_error_set(error, ORIEL_CANCELLED, "the result was closed");
}

static void *run_all(void *context) {
    struct oriel_pull *self = context;
    const struct oriel_piece_maker maker = {.context = self,
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

static bool make_columns(struct oriel_pull *self) {
    const uint32_t count = self->schema.field_count;
    self->columns = oriel_memory_allocate(self->runtime->memory, count * sizeof *self->columns);
    self->words = oriel_memory_allocate(self->runtime->memory, count * sizeof *self->words);
    return self->columns && self->words;
}

enum oriel_status oriel_pull_open(struct oriel_execution *execution, struct oriel_runtime *runtime,
                                  struct oriel_schema schema, struct oriel_pull **out,
                                  struct oriel_error *error) {
    struct oriel_pull *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    if (!self)
        return oriel_error_memory(error);
    *self = (struct oriel_pull){.execution = execution,
                                .runtime = runtime,
                                .engine_pool = runtime->pool,
                                .schema = schema,
                                .last = &self->first};
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->changed, NULL);
    enum oriel_status status = ORIEL_OK;
    if (!make_columns(self))
        status = oriel_error_memory(error);
    if (status == ORIEL_OK && runtime->pool)
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
    while (self->first) {
        struct piece *next = self->first->next;
        drop_piece(self, self->first);
        self->first = next;
    }
    if (self->current)
        drop_piece(self, self->current);
    struct oriel_memory *memory = self->runtime->memory;
    oriel_memory_release(memory, self->columns, self->schema.field_count * sizeof *self->columns);
    oriel_memory_release(memory, self->words, self->schema.field_count * sizeof *self->words);
    pthread_cond_destroy(&self->changed);
    pthread_mutex_destroy(&self->lock);
    oriel_memory_release(memory, self, sizeof *self);
}

/* Takes the next table from the queue. */
static enum oriel_status take_piece(struct oriel_pull *self, struct oriel_error *error) {
    if (self->current)
        drop_piece(self, self->current);
    self->current = NULL;
    self->next_row = 0;
    pthread_mutex_lock(&self->lock);
    while (!self->first && !self->ended)
        pthread_cond_wait(&self->changed, &self->lock);
    struct piece *piece = self->first;
    if (piece) {
        self->first = piece->next;
        if (!self->first)
            self->last = &self->first;
        self->queue_length--;
        pthread_cond_broadcast(&self->changed);
    }
    const enum oriel_status status = self->status;
    pthread_mutex_unlock(&self->lock);
    self->current = piece;
    if (piece)
        return ORIEL_OK;
    if (status == ORIEL_OK)
        return ORIEL_DONE;
    if (error)
        *error = self->error;
    return status;
}

enum oriel_status oriel_pull_next(struct oriel_pull *self, const struct oriel_batch **batch,
                                  struct oriel_error *error) {
    while (!self->current || self->next_row == self->current->table.row_count)
        ORIEL_TRY(take_piece(self, error));
    const struct oriel_table *table = &self->current->table;
    const size_t step = oriel_slice_rows(self->runtime->batch_rows);
    const size_t left = table->row_count - self->next_row;
    const size_t count = left < step ? left : step;
    oriel_slice_columns(table->columns, self->schema.field_count, self->next_row, count,
                        self->words, self->columns);
    self->batch = (struct oriel_batch){.row_count = count,
                                       .column_count = self->schema.field_count,
                                       .columns = self->columns,
                                       .first_row = self->batch.first_row + self->batch.row_count};
    self->next_row += count;
    *batch = &self->batch;
    return ORIEL_OK;
}
