/*
 * Pieces are tables, copies of the rows, which are handed out in slices.
 */
#include "engine/exec/pull_rows.h"

#include "engine/exec/gather.h"

struct oriel_row_pull {
    const struct oriel_runtime *runtime;
    struct oriel_schema schema;
    struct oriel_pull *pull;
    struct oriel_table *current; /* whose batches are being handed out, or NULL */
    size_t next_row;
    struct oriel_batch batch;
    struct oriel_column *columns;
    uint64_t *words;
};

static enum oriel_status begin_table(void *context, unsigned worker, void **out,
                                     struct oriel_error *error) {
    (void)worker;
    const struct oriel_row_pull *self = context;
    struct oriel_table *table = oriel_memory_allocate(self->runtime->memory, sizeof *table);
    if (!table)
        return oriel_error_memory(error);
    oriel_table_init(table, self->runtime->memory, self->schema);
    *out = table;
    return ORIEL_OK;
}

static enum oriel_status add_to_table(void *context, void *table, const struct oriel_batch *batch,
                                      struct oriel_error *error) {
    (void)context;
    return oriel_table_append(table, batch, NULL, 0, batch->row_count, error);
}

static void drop_table(void *context, void *table) {
    const struct oriel_row_pull *self = context;
    oriel_table_deinit(table);
    oriel_memory_release(self->runtime->memory, table, sizeof(struct oriel_table));
}

enum oriel_status oriel_row_pull_open(struct oriel_execution *execution,
                                      struct oriel_runtime *runtime, struct oriel_schema schema,
                                      struct oriel_row_pull **out, struct oriel_error *error) {
    struct oriel_memory *memory = runtime->memory;
    struct oriel_row_pull *self = oriel_memory_allocate_zeroed(memory, 1, sizeof *self);
    if (!self)
        return oriel_error_memory(error);
    self->runtime = runtime;
    self->schema = schema;
    self->columns = oriel_memory_allocate(memory, schema.field_count * sizeof *self->columns);
    self->words = oriel_memory_allocate(memory, schema.field_count * sizeof *self->words);
    const struct oriel_piece_maker maker = {
        .context = self, .begin = begin_table, .add = add_to_table, .drop = drop_table};
    const enum oriel_status status =
        self->columns && self->words
            ? oriel_pull_open(execution, runtime, &maker, &self->pull, error)
            : oriel_error_memory(error);
    if (status == ORIEL_OK)
        *out = self;
    else
        oriel_row_pull_close(&self);
    return status;
}

static void leave_table(struct oriel_row_pull *self) {
    if (self->current)
        drop_table(self, self->current);
    self->current = NULL;
    self->next_row = 0;
}

void oriel_row_pull_close(struct oriel_row_pull **pull) {
    struct oriel_row_pull *self = *pull;
    if (!self)
        return;
    *pull = NULL;
    oriel_pull_close(&self->pull);
    leave_table(self);
    struct oriel_memory *memory = self->runtime->memory;
    oriel_memory_release(memory, self->columns, self->schema.field_count * sizeof *self->columns);
    oriel_memory_release(memory, self->words, self->schema.field_count * sizeof *self->words);
    oriel_memory_release(memory, self, sizeof *self);
}

enum oriel_status oriel_row_pull_next(struct oriel_row_pull *self, const struct oriel_batch **batch,
                                      struct oriel_error *error) {
    while (!self->current || self->next_row == self->current->row_count) {
        void *table;
        leave_table(self);
        ORIEL_TRY(oriel_pull_next(self->pull, &table, error));
        self->current = table;
    }
    const struct oriel_table *table = self->current;
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
