/*
 * Sources over tables in memory: finished operators, VALUES, DESCRIBE.
 */
#include "engine/exec/table_source.h"

#include "engine/exec/gather.h"

enum { MORSEL_BATCHES = 16, STACK_COLUMNS = 32 };

enum oriel_status oriel_table_push(const struct oriel_runtime *runtime,
                                   const struct oriel_table *table, uint32_t column_count,
                                   size_t begin, size_t end, uint64_t first_row, oriel_push *push,
                                   void *context, struct oriel_error *error) {
    const size_t step = oriel_slice_rows(runtime->batch_rows);
    struct oriel_column stack_columns[STACK_COLUMNS];
    uint64_t stack_words[STACK_COLUMNS];
    struct oriel_column *columns = stack_columns;
    uint64_t *words = stack_words;
    const size_t size = column_count * (sizeof *columns + sizeof *words);
    if (column_count > STACK_COLUMNS) {
        columns = oriel_memory_allocate(runtime->memory, size);
        if (!columns)
            return oriel_error_memory(error);
        words = (uint64_t *)(columns + column_count);
    }
    enum oriel_status status = ORIEL_OK;
    for (size_t row = begin; row < end && status == ORIEL_OK;) {
        const size_t bound = row % 64 ? 64 - row % 64 : step; /* see oriel_slice_columns */
        const size_t wanted = bound < step ? bound : step;
        struct oriel_batch batch = {.row_count = end - row < wanted ? end - row : wanted,
                                    .column_count = column_count,
                                    .columns = columns,
                                    .first_row = first_row + row};
        oriel_slice_columns(table->columns, column_count, row, batch.row_count, words, columns);
        status = push(context, &batch, error);
        row += batch.row_count;
    }
    if (columns != stack_columns)
        oriel_memory_release(runtime->memory, columns, size);
    return status;
}

struct table_source {
    struct oriel_source source;
    const struct oriel_runtime *runtime;
    struct oriel_table *table;
    bool owned;
    size_t morsel_rows;
    _Atomic uint64_t next_morsel;
};

static enum oriel_status start_table(struct oriel_source *source, unsigned worker_count,
                                     struct oriel_error *error) {
    (void)source;
    (void)worker_count;
    (void)error;
    return ORIEL_OK;
}

static enum oriel_status claim_table(struct oriel_source *source, struct oriel_morsel *morsel,
                                     struct oriel_error *error) {
    struct table_source *self = (struct table_source *)source;
    (void)error;
    const uint64_t morsel_count = self->table->row_count / self->morsel_rows +
                                  (self->table->row_count % self->morsel_rows != 0);
    const uint64_t number = atomic_fetch_add_explicit(&self->next_morsel, 1, memory_order_relaxed);
    if (number >= morsel_count)
        return ORIEL_DONE;
    const uint64_t begin = number * self->morsel_rows;
    const uint64_t left = self->table->row_count - begin;
    *morsel = (struct oriel_morsel){
        .number = number,
        .begin = begin,
        .end = begin + (left < self->morsel_rows ? left : self->morsel_rows),
    };
    return ORIEL_OK;
}

static enum oriel_status read_table(struct oriel_source *source, unsigned worker,
                                    const struct oriel_morsel *morsel, oriel_push *push,
                                    void *context, struct oriel_error *error) {
    struct table_source *self = (struct table_source *)source;
    (void)worker;
    return oriel_table_push(self->runtime, self->table, self->table->schema.field_count,
                            morsel->begin, morsel->end, 0, push, context, error);
}

static void close_table(struct oriel_source *source) {
    struct table_source *self = (struct table_source *)source;
    struct oriel_memory *memory = self->runtime->memory;
    if (self->owned) {
        oriel_table_deinit(self->table);
        oriel_memory_release(memory, self->table, sizeof *self->table);
    }
    oriel_memory_release(memory, self, sizeof *self);
}

static const struct oriel_source_operations table_operations = {start_table, claim_table,
                                                                read_table, close_table};

enum oriel_status oriel_table_source_open(const struct oriel_runtime *runtime,
                                          struct oriel_table *table, bool owned, size_t morsel_rows,
                                          struct oriel_source **out, struct oriel_error *error) {
    const size_t step = oriel_slice_rows(runtime->batch_rows);
    struct table_source *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    if (!self)
        return oriel_error_memory(error);
    if (morsel_rows == 0)
        morsel_rows = step * MORSEL_BATCHES;
    self->source = (struct oriel_source){&table_operations, table->schema};
    self->runtime = runtime;
    self->table = table;
    self->owned = owned;
    self->morsel_rows = (morsel_rows + step - 1) / step * step;
    *out = &self->source;
    return ORIEL_OK;
}
