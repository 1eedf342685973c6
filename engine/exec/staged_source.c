/*
 * A source with a chain of stages behind it: each worker has its own instances, which push batches
 * from one to the next and at last to whoever reads.
 */
#include "engine/exec/drive.h"
#include "engine/exec/pipeline.h"

struct chain {
    struct oriel_stage **stages; /* node_count; NULL where not opened */
};

struct staged_source {
    struct oriel_source source;
    const struct oriel_runtime *runtime;
    struct oriel_arena arena;
    struct oriel_source *input;
    const struct oriel_plan **nodes;
    uint32_t node_count;
    struct chain *chains; /* one a worker */
    unsigned worker_count;
};

static enum oriel_status push_stage(void *context, const struct oriel_batch *batch,
                                    struct oriel_error *error) {
    struct oriel_stage *stage = context;
    return stage->operations->push(stage, batch, error);
}

static enum oriel_status open_stage(const struct oriel_plan *node,
                                    const struct oriel_runtime *runtime, struct oriel_stage **out,
                                    struct oriel_error *error) {
    switch (node->kind) {
    case ORIEL_PLAN_FILTER: return oriel_filter_open(node, runtime, out, error);
    case ORIEL_PLAN_PROJECT: return oriel_project_open(node, runtime, out, error);
    case ORIEL_PLAN_UNNEST: return oriel_unnest_open(node, runtime, out, error);
    default: return oriel_window_stage_open(node, runtime, out, error);
    }
}

static enum oriel_status open_chain(struct staged_source *self, struct chain *chain,
                                    struct oriel_error *error) {
    for (uint32_t i = 0; i < self->node_count; i++) {
        ORIEL_TRY(open_stage(self->nodes[i], self->runtime, &chain->stages[i], error));
        if (i) {
            chain->stages[i - 1]->next = push_stage;
            chain->stages[i - 1]->next_context = chain->stages[i];
        }
    }
    return ORIEL_OK;
}

static enum oriel_status start(struct oriel_source *source, unsigned worker_count,
                               struct oriel_error *error) {
    struct staged_source *self = (struct staged_source *)source;
    ORIEL_TRY(self->input->operations->start(self->input, worker_count, error));
    self->chains = oriel_arena_allocate_zeroed(&self->arena, worker_count, sizeof *self->chains);
    if (!self->chains)
        return oriel_error_memory(error);
    for (unsigned w = 0; w < worker_count; w++) {
        struct oriel_stage **stages =
            oriel_arena_allocate_zeroed(&self->arena, self->node_count, sizeof(void *));
        if (!stages)
            return oriel_error_memory(error);
        self->chains[w].stages = stages;
        self->worker_count = w + 1;
        ORIEL_TRY(open_chain(self, &self->chains[w], error));
    }
    return ORIEL_OK;
}

static enum oriel_status claim(struct oriel_source *source, struct oriel_morsel *morsel,
                               struct oriel_error *error) {
    struct staged_source *self = (struct staged_source *)source;
    return self->input->operations->claim(self->input, morsel, error);
}

static enum oriel_status read_staged(struct oriel_source *source, unsigned worker,
                                     const struct oriel_morsel *morsel, oriel_push *push,
                                     void *context, struct oriel_error *error) {
    struct staged_source *self = (struct staged_source *)source;
    struct chain *chain = &self->chains[worker];
    struct oriel_stage *last = chain->stages[self->node_count - 1];
    last->next = push;
    last->next_context = context;
    return self->input->operations->read(self->input, worker, morsel, push_stage, chain->stages[0],
                                         error);
}

static void close_staged(struct oriel_source *source) {
    struct staged_source *self = (struct staged_source *)source;
    for (unsigned w = 0; w < self->worker_count; w++)
        for (uint32_t i = 0; i < self->node_count; i++) {
            struct oriel_stage *stage = self->chains[w].stages[i];
            if (stage)
                stage->operations->close(stage);
        }
    self->input->operations->close(self->input);
    oriel_arena_deinit(&self->arena);
    oriel_memory_release(self->runtime->memory, self, sizeof *self);
}

static const struct oriel_source_operations staged_operations = {start, claim, read_staged,
                                                                 close_staged};

enum oriel_status oriel_staged_source_open(const struct oriel_runtime *runtime,
                                           struct oriel_source *input,
                                           const struct oriel_plan *const *nodes,
                                           uint32_t node_count, struct oriel_source **out,
                                           struct oriel_error *error) {
    struct staged_source *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    if (!self) {
        input->operations->close(input);
        return oriel_error_memory(error);
    }
    oriel_arena_init(&self->arena, runtime->memory);
    self->source = (struct oriel_source){&staged_operations, nodes[node_count - 1]->schema};
    self->runtime = runtime;
    self->input = input;
    self->node_count = node_count;
    self->nodes = oriel_arena_allocate(&self->arena, node_count * sizeof *self->nodes);
    if (!self->nodes) {
        close_staged(&self->source);
        return oriel_error_memory(error);
    }
    for (uint32_t i = 0; i < node_count; i++)
        self->nodes[i] = nodes[i];
    *out = &self->source;
    return ORIEL_OK;
}
