/*
 * An execution: a plan's source, and the two ways to read it. run delivers pieces on the caller's
 * thread; next starts a run on a thread of its own, with workers of its own so that other
 * statements keep the engine's, and takes one table after the other from it.
 */
#include "engine/exec/build.h"
#include "engine/exec/drive.h"
#include "engine/exec/memory_need.h"
#include "engine/exec/pipeline.h"
#include "engine/exec/profile.h"
#include "engine/exec/pull_rows.h"
#include "engine/exec/run.h"

/* What executions that were opened together have in common. */
struct family {
    struct oriel_runtime runtime; /* a copy: pull changes the pool */
    struct oriel_passes *passes;
    uint32_t member_count; /* that are open */
    uint32_t plan_count;
    const struct oriel_plan *plans[];
};

static size_t family_bytes(uint32_t plan_count) {
    return sizeof(struct family) + plan_count * sizeof(const struct oriel_plan *);
}

struct oriel_execution {
    struct family *family;
    const struct oriel_runtime *writer_runtime; /* of those who make and deliver pieces */
    const struct oriel_plan *plan;
    struct oriel_source *source; /* NULL: the rows come straight from the pass */
    struct oriel_pass *pass;
    uint32_t taker_number;
    bool has_maker;
    bool started;
    struct oriel_pull *pull; /* at most one of these */
    struct oriel_row_pull *row_pull;
};

static void leave(struct family *family) {
    if (--family->member_count)
        return;
    oriel_passes_close(&family->passes);
    oriel_memory_release(family->runtime.memory, family, family_bytes(family->plan_count));
}

static enum oriel_status open_member(const struct oriel_builder *builder, struct family *family,
                                     const struct oriel_plan *plan, struct oriel_execution **out,
                                     struct oriel_error *error) {
    struct oriel_memory *memory = family->runtime.memory;
    struct oriel_execution *self = oriel_memory_allocate_zeroed(memory, 1, sizeof *self);
    if (!self)
        return oriel_error_memory(error);
    self->family = family;
    self->plan = plan;
    self->writer_runtime = &family->runtime;
    enum oriel_status status = ORIEL_OK;
    if (family->runtime.profile)
        status = oriel_profile_add(&family->runtime, plan, true, &self->writer_runtime, error);
    if (status == ORIEL_OK && oriel_result_is_fed(plan))
        status = oriel_result_build(builder, plan, self->writer_runtime, &self->pass,
                                    &self->taker_number, error);
    else if (status == ORIEL_OK)
        status = oriel_source_build(builder, plan, &self->source, error);
    if (status != ORIEL_OK) {
        oriel_memory_release(memory, self, sizeof *self);
        return status;
    }
    family->member_count++;
    *out = self;
    return ORIEL_OK;
}

enum oriel_status oriel_executions_open(const struct oriel_plan *const *plans, uint32_t count,
                                        const struct oriel_runtime *runtime,
                                        oriel_open_scan *open_scan, void *open_scan_context,
                                        struct oriel_execution **out, struct oriel_error *error) {
    struct family *family = oriel_memory_allocate_zeroed(runtime->memory, 1, family_bytes(count));
    for (uint32_t i = 0; i < count; i++)
        out[i] = NULL;
    if (!family)
        return oriel_memory_name_need(runtime, plans, count, error);
    family->runtime = *runtime;
    family->plan_count = count;
    for (uint32_t i = 0; i < count; i++)
        family->plans[i] = plans[i];
    family->member_count = 1; /* this call */
    struct oriel_builder builder = {.runtime = &family->runtime,
                                    .open_scan = open_scan,
                                    .open_scan_context = open_scan_context,
                                    .position_bits = ORIEL_POSITION_BITS_MAX};
    enum oriel_status status = oriel_passes_open(&family->runtime, &family->passes, error);
    builder.passes = family->passes;
    for (uint32_t i = 0; i < count && status == ORIEL_OK; i++)
        status = open_member(&builder, family, plans[i], &out[i], error);
    for (uint32_t i = 0; i < count && status != ORIEL_OK; i++)
        oriel_execution_close(&out[i]);
    leave(family);
    return status == ORIEL_MEMORY ? oriel_memory_name_need(runtime, plans, count, error) : status;
}

enum oriel_status oriel_execution_open(const struct oriel_plan *plan,
                                       const struct oriel_runtime *runtime,
                                       oriel_open_scan *open_scan, void *open_scan_context,
                                       struct oriel_execution **out, struct oriel_error *error) {
    return oriel_executions_open(&plan, 1, runtime, open_scan, open_scan_context, out, error);
}

void oriel_execution_close(struct oriel_execution **execution) {
    struct oriel_execution *self = *execution;
    if (!self)
        return;
    *execution = NULL;
    oriel_pull_close(&self->pull);
    oriel_row_pull_close(&self->row_pull);
    if (self->source)
        self->source->operations->close(self->source);
    struct family *family = self->family;
    oriel_memory_release(family->runtime.memory, self, sizeof *self);
    leave(family);
}

bool oriel_execution_is_fed(const struct oriel_execution *execution) {
    return execution->pass != NULL;
}

void oriel_execution_set_maker(struct oriel_execution *execution,
                               const struct oriel_piece_maker *maker) {
    oriel_pass_set_maker(execution->pass, execution->taker_number, maker);
    execution->has_maker = true;
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

static enum oriel_status run(struct oriel_execution *execution,
                             const struct oriel_piece_maker *maker, struct oriel_error *error) {
    const struct oriel_runtime *runtime = execution->writer_runtime;
    struct oriel_source *source = execution->source;
    if (execution->started)
        return oriel_error_set(error, ORIEL_ARGUMENT, "a result can be read once");
    execution->started = true;
    ORIEL_TRY(oriel_runtime_check(runtime, error));
    if (execution->pass) {
        if (!execution->has_maker)
            oriel_execution_set_maker(execution, maker);
        return oriel_pass_run(execution->pass, error);
    }
    ORIEL_TRY(source->operations->start(source, oriel_worker_count(runtime), error));
    return oriel_run_source(runtime, source, waits_in_order(execution->plan), maker, error);
}

static enum oriel_status name_need(const struct oriel_execution *execution,
                                   enum oriel_status status, struct oriel_error *error) {
    const struct family *family = execution->family;
    return status == ORIEL_MEMORY
               ? oriel_memory_name_need(&family->runtime, family->plans, family->plan_count, error)
               : status;
}

enum oriel_status oriel_execution_run(struct oriel_execution *execution,
                                      const struct oriel_piece_maker *maker,
                                      struct oriel_error *error) {
    return name_need(execution, run(execution, maker, error), error);
}

/* Before a first pull. */
static enum oriel_status check_fresh(const struct oriel_execution *execution,
                                     struct oriel_error *error) {
    if (execution->started || execution->pull || execution->row_pull)
        return oriel_error_set(error, ORIEL_ARGUMENT, "a result can be read once");
    return ORIEL_OK;
}

static enum oriel_status next_batch(struct oriel_execution *execution,
                                    const struct oriel_batch **batch, struct oriel_error *error) {
    if (!execution->row_pull) {
        ORIEL_TRY(check_fresh(execution, error));
        ORIEL_TRY(oriel_row_pull_open(execution, &execution->family->runtime,
                                      execution->plan->schema, &execution->row_pull, error));
    }
    return oriel_row_pull_next(execution->row_pull, batch, error);
}

enum oriel_status oriel_execution_next(struct oriel_execution *execution,
                                       const struct oriel_batch **batch,
                                       struct oriel_error *error) {
    return name_need(execution, next_batch(execution, batch, error), error);
}

static enum oriel_status next_piece(struct oriel_execution *execution,
                                    const struct oriel_piece_maker *maker, void **piece,
                                    struct oriel_error *error) {
    if (!execution->pull) {
        ORIEL_TRY(check_fresh(execution, error));
        ORIEL_TRY(oriel_pull_open(execution, &execution->family->runtime, maker, &execution->pull,
                                  error));
    }
    return oriel_pull_next(execution->pull, piece, error);
}

enum oriel_status oriel_execution_next_piece(struct oriel_execution *execution,
                                             const struct oriel_piece_maker *maker, void **piece,
                                             struct oriel_error *error) {
    return name_need(execution, next_piece(execution, maker, piece, error), error);
}
