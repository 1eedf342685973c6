/*
 * A join as a source. The right input is read first. Where both inputs come in the order of the
 * keys, its rows are kept as they come, and the left ones pass by and go on in their order;
 * otherwise, or when memory gets short, both go into the sinks of the hash join.
 */
#include <pthread.h>

#include "engine/exec/drive.h"
#include "engine/exec/join.h"
#include "engine/exec/join_zip.h"
#include "engine/exec/pipeline.h"
#include "engine/exec/spill.h"

/* One worker that reads the left input. */
struct passer {
    struct join_source *join;
    struct oriel_join_emit emit;
    struct oriel_join_zip zip;
    oriel_push *push;
    void *context;
};

struct join_source {
    struct oriel_source source;
    const struct oriel_runtime *runtime;
    const struct oriel_plan *plan;
    struct oriel_arena arena;
    struct oriel_source *inputs[2];
    struct oriel_sink *sinks[2]; /* NULL until they are needed */
    struct oriel_source *result; /* of the sinks */
    struct oriel_zip_order order;
    struct oriel_kept_rows right;
    pthread_mutex_t *locks; /* of the rows of each worker */
    atomic_bool sinks_have_rows;
    bool passes; /* left rows pass by the right ones */
    uint64_t expansion;
    unsigned passer_count;
    struct passer *passers;
};

static enum oriel_status push_sink(void *context, unsigned worker, const struct oriel_batch *batch,
                                   struct oriel_error *error) {
    struct oriel_sink *sink = context;
    return sink->operations->push(sink, worker, batch, error);
}

/* Moves what a worker has kept to the sink. */
static enum oriel_status move_kept(void *context, unsigned worker, struct oriel_error *error) {
    struct join_source *self = context;
    atomic_store_explicit(&self->sinks_have_rows, true, memory_order_relaxed);
    pthread_mutex_lock(&self->locks[worker]);
    oriel_memory_borrow(self->runtime->memory);
    const enum oriel_status status =
        oriel_kept_rows_move(&self->right, worker, push_sink, self->sinks[1], error);
    oriel_memory_repay(self->runtime->memory);
    pthread_mutex_unlock(&self->locks[worker]);
    return status;
}

/* Keeps a batch of the right input; when memory gets short all that is kept goes to the sink. */
static enum oriel_status keep(void *context, unsigned worker, const struct oriel_batch *batch,
                              struct oriel_error *error) {
    struct join_source *self = context;
    const bool limited = self->runtime->memory->limit_bytes != 0;
    if (!limited)
        return oriel_kept_rows_add(&self->right, worker, batch, error);
    if (!oriel_spill_wanted(self->runtime) &&
        !atomic_load_explicit(&self->sinks_have_rows, memory_order_relaxed)) {
        pthread_mutex_lock(&self->locks[worker]);
        const enum oriel_status status = oriel_kept_rows_add(&self->right, worker, batch, error);
        pthread_mutex_unlock(&self->locks[worker]);
        if (status != ORIEL_MEMORY)
            return status;
    }
    for (unsigned w = 0; w < self->right.worker_count; w++)
        ORIEL_TRY(move_kept(self, w, error));
    return push_sink(self->sinks[1], worker, batch, error);
}

static void close_input(struct join_source *self, unsigned i) {
    if (self->inputs[i])
        self->inputs[i]->operations->close(self->inputs[i]);
    self->inputs[i] = NULL;
}

static enum oriel_status drive(struct join_source *self, unsigned i, oriel_worker_push *push,
                               void *context, unsigned worker_count, struct oriel_error *error) {
    struct oriel_source *input = self->inputs[i];
    ORIEL_TRY(input->operations->start(input, worker_count, error));
    ORIEL_TRY(oriel_drive(self->runtime, input, push, context, error));
    close_input(self, i);
    return ORIEL_OK;
}

static enum oriel_status open_sinks(struct join_source *self, struct oriel_error *error) {
    return self->sinks[0] ? ORIEL_OK
                          : oriel_join_open(self->plan, self->runtime, self->sinks, error);
}

static enum oriel_status start_sinks(struct join_source *self, unsigned worker_count,
                                     struct oriel_error *error) {
    struct oriel_sink *last = self->sinks[1];
    ORIEL_TRY(oriel_join_relieve(self->sinks[1], error));
    ORIEL_TRY(drive(self, 0, push_sink, self->sinks[0], worker_count, error));
    ORIEL_TRY(last->operations->finish(last, &self->result, error));
    return self->result->operations->start(self->result, worker_count, error);
}

static enum oriel_status open_passers(struct join_source *self, unsigned worker_count,
                                      struct oriel_error *error) {
    struct oriel_kept_rows *right = &self->right;
    ORIEL_TRY(oriel_kept_rows_seal(right, error));
    right->sources[right->source_count] =
        oriel_join_null_row(&self->arena, self->plan->inputs[1]->schema);
    self->passers = oriel_arena_allocate_zeroed(&self->arena, worker_count, sizeof *self->passers);
    if (!right->sources[right->source_count] || !self->passers)
        return oriel_error_memory(error);
    for (unsigned w = 0; w < worker_count; w++) {
        struct passer *passer = &self->passers[w];
        passer->join = self;
        self->passer_count = w + 1;
        ORIEL_TRY(oriel_join_emit_init(&passer->emit, self->plan, self->runtime, error));
        oriel_join_emit_sources(&passer->emit, right->sources, right->source_count);
        ORIEL_TRY(oriel_join_zip_init(&passer->zip, self->plan, self->runtime, &self->order, right,
                                      error));
    }
    return oriel_join_zip_longest(&self->passers[0].zip, &self->expansion, error);
}

static void close_passers(struct join_source *self) {
    for (unsigned w = 0; w < self->passer_count; w++) {
        oriel_join_emit_deinit(&self->passers[w].emit);
        oriel_join_zip_deinit(&self->passers[w].zip);
    }
    self->passer_count = 0;
}

/* Whether left rows can pass by the right ones that are kept. */
static enum oriel_status try_passing(struct join_source *self, unsigned worker_count,
                                     struct oriel_error *error) {
    const struct oriel_memory *memory = self->runtime->memory;
    const bool limited = memory->limit_bytes != 0;
    /* the left input needs memory, too */
    if (self->sinks_have_rows ||
        (limited && oriel_memory_available(memory) < memory->limit_bytes / 2))
        return ORIEL_OK;
    const enum oriel_status status = open_passers(self, worker_count, error);
    self->passes = status == ORIEL_OK && self->expansion <= ORIEL_JOIN_EXPANSION_MAX;
    if (!self->passes)
        close_passers(self);
    return status == ORIEL_MEMORY && limited ? ORIEL_OK : status;
}

static enum oriel_status start(struct oriel_source *source, unsigned worker_count,
                               struct oriel_error *error) {
    struct join_source *self = (struct join_source *)source;
    if (self->order.order.key_count == 0) {
        ORIEL_TRY(open_sinks(self, error));
        ORIEL_TRY(drive(self, 1, push_sink, self->sinks[1], worker_count, error));
        return start_sinks(self, worker_count, error);
    }
    ORIEL_TRY(
        oriel_kept_rows_init(&self->right, self->runtime, self->plan->inputs[1]->schema, error));
    self->locks =
        oriel_arena_allocate_zeroed(&self->arena, self->right.worker_count, sizeof *self->locks);
    if (!self->locks)
        return oriel_error_memory(error);
    for (unsigned w = 0; w < self->right.worker_count; w++)
        pthread_mutex_init(&self->locks[w], NULL);
    if (self->runtime->memory->limit_bytes)
        ORIEL_TRY(open_sinks(self, error));
    ORIEL_TRY(drive(self, 1, keep, self, worker_count, error));
    ORIEL_TRY(try_passing(self, worker_count, error));
    if (self->passes)
        return self->inputs[0]->operations->start(self->inputs[0], worker_count, error);
    ORIEL_TRY(open_sinks(self, error));
    ORIEL_TRY(oriel_run_workers(self->runtime, move_kept, self, error));
    return start_sinks(self, worker_count, error);
}

static enum oriel_status claim(struct oriel_source *source, struct oriel_morsel *morsel,
                               struct oriel_error *error) {
    struct join_source *self = (struct join_source *)source;
    struct oriel_source *from = self->passes ? self->inputs[0] : self->result;
    return from->operations->claim(from, morsel, error);
}

static enum oriel_status pass(void *context, const struct oriel_batch *batch,
                              struct oriel_error *error) {
    struct passer *passer = context;
    ORIEL_TRY(oriel_join_emit_begin(&passer->emit, batch, passer->join->expansion, passer->push,
                                    passer->context, error));
    ORIEL_TRY(oriel_join_zip_push(&passer->zip, batch, &passer->emit, error));
    return oriel_join_emit_flush(&passer->emit, error);
}

static enum oriel_status read_join(struct oriel_source *source, unsigned worker,
                                   const struct oriel_morsel *morsel, oriel_push *push,
                                   void *context, struct oriel_error *error) {
    struct join_source *self = (struct join_source *)source;
    if (!self->passes)
        return self->result->operations->read(self->result, worker, morsel, push, context, error);
    struct passer *passer = &self->passers[worker];
    passer->push = push;
    passer->context = context;
    oriel_join_zip_begin(&passer->zip);
    return self->inputs[0]->operations->read(self->inputs[0], worker, morsel, pass, passer, error);
}

static void close_join(struct oriel_source *source) {
    struct join_source *self = (struct join_source *)source;
    if (self->result)
        self->result->operations->close(self->result);
    for (unsigned i = 0; i < 2; i++) {
        close_input(self, i);
        if (self->sinks[i])
            self->sinks[i]->operations->close(self->sinks[i]);
    }
    close_passers(self);
    for (unsigned w = 0; self->locks && w < self->right.worker_count; w++)
        pthread_mutex_destroy(&self->locks[w]);
    oriel_kept_rows_deinit(&self->right);
    oriel_arena_deinit(&self->arena);
    oriel_memory_release(self->runtime->memory, self, sizeof *self);
}

static const struct oriel_source_operations join_operations = {start, claim, read_join, close_join};

enum oriel_status oriel_join_source_open(const struct oriel_plan *plan,
                                         const struct oriel_runtime *runtime,
                                         struct oriel_source *const inputs[2],
                                         struct oriel_source **out, struct oriel_error *error) {
    struct join_source *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    if (!self) {
        inputs[0]->operations->close(inputs[0]);
        inputs[1]->operations->close(inputs[1]);
        return oriel_error_memory(error);
    }
    self->source = (struct oriel_source){&join_operations, plan->schema};
    self->runtime = runtime;
    self->plan = plan;
    self->inputs[0] = inputs[0];
    self->inputs[1] = inputs[1];
    oriel_arena_init(&self->arena, runtime->memory);
    const enum oriel_status status =
        plan->choices[ORIEL_TOPIC_JOIN].strategy == ORIEL_STRATEGY_HASH
            ? ORIEL_OK
            : oriel_join_zip_order(plan, &self->arena, &self->order, error);
    if (status != ORIEL_OK) {
        close_join(&self->source);
        return status;
    }
    *out = &self->source;
    return ORIEL_OK;
}
