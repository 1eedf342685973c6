/*
 * An execution: a plan's source, and the two ways to read it. run delivers pieces on the caller's
 * thread; next starts a run on a thread of its own, with workers of its own so that other
 * statements keep the engine's, and takes one table after the other from it.
 */
#include "engine/exec/drive.h"
#include "engine/exec/pipeline.h"
#include "engine/exec/profile.h"
#include "engine/exec/pull.h"
#include "engine/exec/run.h"

struct oriel_execution {
    struct oriel_runtime runtime;               /* a copy: pull changes the pool */
    const struct oriel_runtime *writer_runtime; /* of those who make and deliver pieces */
    const struct oriel_plan *plan;
    struct oriel_source *source;
    bool started;
    struct oriel_pull *pull;
};

enum oriel_status oriel_execution_open(const struct oriel_plan *plan,
                                       const struct oriel_runtime *runtime,
                                       oriel_open_scan *open_scan, void *open_scan_context,
                                       struct oriel_execution **out, struct oriel_error *error) {
    struct oriel_execution *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    if (!self)
        return oriel_error_memory(error);
    self->runtime = *runtime;
    self->plan = plan;
    self->writer_runtime = &self->runtime;
    if (runtime->profile) {
        const enum oriel_status added =
            oriel_profile_add(runtime, plan, true, &self->writer_runtime, error);
        if (added != ORIEL_OK) {
            oriel_memory_release(runtime->memory, self, sizeof *self);
            return added;
        }
    }
    const enum oriel_status status = oriel_source_build(plan, &self->runtime, open_scan,
                                                        open_scan_context, &self->source, error);
    if (status != ORIEL_OK) {
        oriel_memory_release(runtime->memory, self, sizeof *self);
        return status;
    }
    *out = self;
    return ORIEL_OK;
}

void oriel_execution_close(struct oriel_execution **execution) {
    struct oriel_execution *self = *execution;
    if (!self)
        return;
    *execution = NULL;
    oriel_pull_close(&self->pull);
    self->source->operations->close(self->source);
    oriel_memory_release(self->runtime.memory, self, sizeof *self);
}

/* Whether reading may wait for the morsel before: a LIMIT that no breaker separates from the end.
 */
static bool waits_in_order(const struct oriel_plan *plan) {
    switch (plan->kind) {
    case ORIEL_PLAN_LIMIT: return true;
    case ORIEL_PLAN_FILTER:
    case ORIEL_PLAN_PROJECT:
    case ORIEL_PLAN_UNNEST:
    case ORIEL_PLAN_WINDOW: return waits_in_order(plan->inputs[0]);
    case ORIEL_PLAN_UNION:
        for (uint32_t i = 0; i < plan->input_count; i++)
            if (waits_in_order(plan->inputs[i]))
                return true;
        return false;
    default: return false;
    }
}

enum oriel_status oriel_execution_run(struct oriel_execution *execution,
                                      const struct oriel_piece_maker *maker,
                                      struct oriel_error *error) {
    const struct oriel_runtime *runtime = execution->writer_runtime;
    struct oriel_source *source = execution->source;
    if (execution->started)
        return oriel_error_set(error, ORIEL_ARGUMENT, "a result can be read once");
    execution->started = true;
    ORIEL_TRY(oriel_runtime_check(runtime, error));
    ORIEL_TRY(source->operations->start(source, oriel_worker_count(runtime), error));
    return oriel_run_source(runtime, source, waits_in_order(execution->plan), maker, error);
}

enum oriel_status oriel_execution_next(struct oriel_execution *execution,
                                       const struct oriel_batch **batch,
                                       struct oriel_error *error) {
    if (!execution->pull) {
        if (execution->started)
            return oriel_error_set(error, ORIEL_ARGUMENT, "a result can be read once");
        ORIEL_TRY(oriel_pull_open(execution, &execution->runtime, execution->source->schema,
                                  &execution->pull, error));
    }
    return oriel_pull_next(execution->pull, batch, error);
}
