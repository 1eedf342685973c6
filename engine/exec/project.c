/*
 * SELECT's expressions: the evaluator's columns are the output batch. A projection without fields
 * passes on the number of rows.
 */
#include "engine/exec/pipeline.h"

struct project {
    struct oriel_stage stage;
    const struct oriel_runtime *runtime;
    struct oriel_evaluator *evaluator;
    uint32_t field_count;
    const struct oriel_plan *plan;
};

/* The computed row time of a table has no NULL, as the one of a file. */
static enum oriel_status check_time(const struct project *self, const struct oriel_batch *out,
                                    struct oriel_error *error) {
    const uint32_t column = self->plan->project.time_column;
    for (size_t row = 0; out->columns[column].valid && row < out->row_count; row++) {
        if (oriel_column_is_null(&out->columns[column], row))
            return oriel_error_at(error, ORIEL_DATA, self->plan->position,
                                  "RowTime field should not be null, please convert it to a "
                                  "non-null long value. The computed column '%s' is NULL in row "
                                  "%llu of the input",
                                  self->plan->schema.fields[column].name,
                                  (unsigned long long)(out->first_row + row + 1));
    }
    return ORIEL_OK;
}

static enum oriel_status push_project(struct oriel_stage *stage, const struct oriel_batch *batch,
                                      struct oriel_error *error) {
    struct project *self = (struct project *)stage;
    struct oriel_batch out = {.row_count = batch->row_count,
                              .column_count = self->field_count,
                              .first_row = batch->first_row};
    ORIEL_TRY(oriel_evaluator_run(self->evaluator, batch, &out.columns, error));
    if (self->plan->project.requires_time)
        ORIEL_TRY(check_time(self, &out, error));
    return stage->next(stage->next_context, &out, error);
}

static void close_project(struct oriel_stage *stage) {
    struct project *self = (struct project *)stage;
    oriel_evaluator_close(&self->evaluator);
    oriel_memory_release(self->runtime->memory, self, sizeof *self);
}

static const struct oriel_stage_operations project_operations = {push_project, close_project};

enum oriel_status oriel_project_open(const struct oriel_plan *plan,
                                     const struct oriel_runtime *runtime, struct oriel_stage **out,
                                     struct oriel_error *error) {
    struct project *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    if (!self)
        return oriel_error_memory(error);
    self->stage.operations = &project_operations;
    self->runtime = runtime;
    self->field_count = plan->schema.field_count;
    self->plan = plan;
    const enum oriel_status status = oriel_evaluator_open(
        runtime, plan->project.expressions, self->field_count, &self->evaluator, error);
    if (status != ORIEL_OK) {
        close_project(&self->stage);
        return status;
    }
    *out = &self->stage;
    return ORIEL_OK;
}
