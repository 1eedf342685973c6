/*
 * Which of several errors of one batch is told: stages look at whole batches, so the one that fails
 * first need not fail at the first row. Whoever sends a batch through stages asks here after a
 * failure, which ends the run anyway.
 */
#include "engine/exec/chain.h"
#include "engine/exec/gather.h"

static enum oriel_status push_each(const struct oriel_batch *batch, uint64_t *words,
                                   struct oriel_column *columns, oriel_push *push, void *context,
                                   struct oriel_error *error) {
    for (size_t row = 0; row < batch->row_count; row++) {
        const struct oriel_batch one = {.row_count = 1,
                                        .column_count = batch->column_count,
                                        .columns = columns,
                                        .first_row = batch->first_row + row};
        oriel_slice_columns(batch->columns, batch->column_count, row, 1, words, columns);
        ORIEL_TRY(push(context, &one, error));
    }
    return ORIEL_OK;
}

enum oriel_status oriel_push_rows(const struct oriel_runtime *runtime,
                                  const struct oriel_batch *batch, enum oriel_status status,
                                  bool has_passed, oriel_push *push, void *context,
                                  struct oriel_error *error) {
    if ((status != ORIEL_RUNTIME && status != ORIEL_DATA) || batch->row_count < 2)
        return status;
    struct oriel_column *columns;
    const size_t size = batch->column_count * (sizeof *columns + sizeof(uint64_t));
    columns = oriel_memory_allocate(runtime->memory, size);
    if (!columns)
        return oriel_error_memory(error);
    uint64_t *words = (uint64_t *)(columns + batch->column_count);
    struct oriel_error found = {0};
    const enum oriel_status first = push_each(batch, words, columns, push, context, &found);
    oriel_memory_release(runtime->memory, columns, size);
    if (first == ORIEL_OK || (first == ORIEL_DONE && has_passed))
        return status;
    if (first != ORIEL_DONE && error)
        *error = found;
    return first;
}
