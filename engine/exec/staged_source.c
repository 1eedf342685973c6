/*
 * A source with a chain of stages behind it.
 */
#include "engine/exec/chain.h"
#include "engine/exec/pipeline.h"

struct staged_source {
    struct oriel_source source;
    const struct oriel_runtime *runtime;
    struct oriel_source *input;
    struct oriel_chain chain;
};

static enum oriel_status start(struct oriel_source *source, unsigned worker_count,
                               struct oriel_error *error) {
    struct staged_source *self = (struct staged_source *)source;
    ORIEL_TRY(self->input->operations->start(self->input, worker_count, error));
    return oriel_chain_start(&self->chain, worker_count, error);
}

static enum oriel_status claim(struct oriel_source *source, struct oriel_morsel *morsel,
                               struct oriel_error *error) {
    struct staged_source *self = (struct staged_source *)source;
    return self->input->operations->claim(self->input, morsel, error);
}

struct passage {
    struct oriel_chain *chain;
    unsigned worker;
    oriel_push *push;
    void *context;
};

static enum oriel_status pass(void *context, const struct oriel_batch *batch,
                              struct oriel_error *error) {
    const struct passage *passage = context;
    return oriel_chain_push(passage->chain, passage->worker, batch, passage->push, passage->context,
                            error);
}

static enum oriel_status read_staged(struct oriel_source *source, unsigned worker,
                                     const struct oriel_morsel *morsel, oriel_push *push,
                                     void *context, struct oriel_error *error) {
    struct staged_source *self = (struct staged_source *)source;
    struct passage passage = {&self->chain, worker, push, context};
    return self->input->operations->read(self->input, worker, morsel, pass, &passage, error);
}

static void close_staged(struct oriel_source *source) {
    struct staged_source *self = (struct staged_source *)source;
    oriel_chain_deinit(&self->chain);
    self->input->operations->close(self->input);
    oriel_memory_release(self->runtime->memory, self, sizeof *self);
}

static const struct oriel_source_operations staged_operations = {start, claim, read_staged,
                                                                 close_staged};

enum oriel_status oriel_staged_source_open(const struct oriel_runtime *runtime,
                                           struct oriel_source *input,
                                           const struct oriel_step *steps, uint32_t step_count,
                                           struct oriel_source **out, struct oriel_error *error) {
    struct staged_source *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    enum oriel_status status = self ? ORIEL_OK : oriel_error_memory(error);
    if (status == ORIEL_OK)
        status = oriel_chain_init(&self->chain, runtime, steps, step_count, error);
    if (status != ORIEL_OK) {
        input->operations->close(input);
        oriel_memory_release(runtime->memory, self, sizeof *self);
        return status;
    }
    self->source = (struct oriel_source){&staged_operations, steps[step_count - 1].node->schema};
    self->runtime = runtime;
    self->input = input;
    *out = &self->source;
    return ORIEL_OK;
}
