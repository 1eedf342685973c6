/*
 * WHERE and HAVING: the condition's bytes become a selection, the selection row numbers, and the
 * columns are gathered. When all rows stay, the batch goes on as it is.
 */
#include "engine/exec/gather.h"
#include "engine/exec/pipeline.h"
#include "kernels/kernels.h"

struct filter {
    struct oriel_stage stage;
    const struct oriel_runtime *runtime;
    struct oriel_evaluator *evaluator;
    struct oriel_arena arena;
    uint64_t *selection;
    uint32_t *rows;
    struct oriel_column_buffers buffers;
    struct oriel_column *columns;
};

static enum oriel_status push_filter(struct oriel_stage *stage, const struct oriel_batch *batch,
                                     struct oriel_error *error) {
    struct filter *self = (struct filter *)stage;
    const struct oriel_kernels *kernels = self->runtime->kernels;
    const struct oriel_column *condition;
    ORIEL_TRY(oriel_evaluator_run(self->evaluator, batch, &condition, error));
    const size_t kept = kernels->bytes_to_bits(condition->values, condition->valid,
                                               batch->row_count, self->selection);
    if (kept == 0)
        return ORIEL_OK;
    if (kept == batch->row_count)
        return stage->next(stage->next_context, batch, error);
    ORIEL_TRY(oriel_column_buffers_keep_codes(&self->buffers, batch->columns, error));
    kernels->select_indices(self->selection, batch->row_count, self->rows);
    oriel_gather_rows(kernels, batch->columns, batch->column_count, self->rows, kept,
                      &self->buffers, self->columns);
    const struct oriel_batch out = {.row_count = kept,
                                    .column_count = batch->column_count,
                                    .columns = self->columns,
                                    .first_row = batch->first_row};
    return stage->next(stage->next_context, &out, error);
}

static void close_filter(struct oriel_stage *stage) {
    struct filter *self = (struct filter *)stage;
    oriel_evaluator_close(&self->evaluator);
    oriel_column_buffers_deinit(&self->buffers);
    oriel_arena_deinit(&self->arena);
    oriel_memory_release(self->runtime->memory, self, sizeof *self);
}

static const struct oriel_stage_operations filter_operations = {push_filter, close_filter};

static enum oriel_status open_parts(struct filter *self, const struct oriel_plan *plan,
                                    struct oriel_error *error) {
    const size_t capacity = self->runtime->batch_rows;
    ORIEL_TRY(
        oriel_evaluator_open(self->runtime, &plan->filter.condition, 1, &self->evaluator, error));
    ORIEL_TRY(oriel_column_buffers_init(&self->buffers, self->runtime->memory, &plan->schema,
                                        capacity, error));
    self->selection = oriel_arena_allocate_zeroed(&self->arena, oriel_bits_word_count(capacity),
                                                  sizeof *self->selection);
    self->rows = oriel_arena_allocate_zeroed(&self->arena, capacity + 64, sizeof *self->rows);
    self->columns =
        oriel_arena_allocate_zeroed(&self->arena, plan->schema.field_count, sizeof *self->columns);
    return self->selection && self->rows && self->columns ? ORIEL_OK : oriel_error_memory(error);
}

enum oriel_status oriel_filter_open(const struct oriel_plan *plan,
                                    const struct oriel_runtime *runtime, struct oriel_stage **out,
                                    struct oriel_error *error) {
    struct filter *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    if (!self)
        return oriel_error_memory(error);
    self->stage.operations = &filter_operations;
    self->runtime = runtime;
    oriel_arena_init(&self->arena, runtime->memory);
    const enum oriel_status status = open_parts(self, plan, error);
    if (status != ORIEL_OK) {
        close_filter(&self->stage);
        return status;
    }
    *out = &self->stage;
    return ORIEL_OK;
}
