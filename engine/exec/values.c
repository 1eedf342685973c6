/*
 * VALUES and SELECT without FROM: the cells are evaluated over a batch of one row without columns.
 */
#include "engine/exec/pipeline.h"
#include "engine/exec/table_source.h"

static enum oriel_status append_rows(const struct oriel_plan *plan,
                                     const struct oriel_runtime *runtime, struct oriel_table *table,
                                     struct oriel_error *error) {
    const uint32_t field_count = plan->schema.field_count;
    for (uint32_t row = 0; row < plan->values.row_count; row++) {
        struct oriel_evaluator *evaluator;
        const struct oriel_batch one = {.row_count = 1, .first_row = row};
        struct oriel_batch cells = {.row_count = 1, .column_count = field_count, .first_row = row};
        ORIEL_TRY(oriel_runtime_check(runtime, error));
        /* A row of no fields, that of SELECT 1, has no cells either. */
        struct oriel_expression **first =
            field_count ? plan->values.cells + (size_t)row * field_count : NULL;
        ORIEL_TRY(oriel_evaluator_open(runtime, first, field_count, &evaluator, error));
        enum oriel_status status = oriel_evaluator_run(evaluator, &one, &cells.columns, error);
        if (status == ORIEL_OK)
            status = oriel_table_append(table, &cells, NULL, 0, 1, error);
        oriel_evaluator_close(&evaluator);
        ORIEL_TRY(status);
    }
    return ORIEL_OK;
}

enum oriel_status oriel_values_source_open(const struct oriel_plan *plan,
                                           const struct oriel_runtime *runtime,
                                           struct oriel_source **out, struct oriel_error *error) {
    struct oriel_table *table = oriel_memory_allocate(runtime->memory, sizeof *table);
    if (!table)
        return oriel_error_memory(error);
    oriel_table_init(table, runtime->memory, plan->schema);
    enum oriel_status status = append_rows(plan, runtime, table, error);
    if (status == ORIEL_OK)
        status = oriel_table_source_open(runtime, table, true, 0, out, error);
    if (status != ORIEL_OK) {
        oriel_table_deinit(table);
        oriel_memory_release(runtime->memory, table, sizeof *table);
    }
    return status;
}
