/*
 * Sorts rows by partition and order items, and counts along: ROW_NUMBER counts rows, RANK takes the
 * number of the first of equal rows, DENSE_RANK counts distinct ones.
 */
#include "engine/exec/rank_rows.h"

#include <string.h>

#include "engine/exec/gather.h"
#include "engine/exec/key_table.h"
#include "engine/exec/row_key.h"
#include "engine/exec/sort_words.h"

struct ranking {
    const struct oriel_plan *plan;
    const struct oriel_runtime *runtime;
    const struct oriel_table *table;
    struct oriel_arena arena;
    uint32_t input_count;         /* fields of the input */
    struct oriel_column *columns; /* of the table, and the partition's number */
    uint32_t *ids;
    uint32_t *order;
    /* rows on their way out */
    struct oriel_sorter *sorter;
    unsigned worker;
    struct oriel_column_buffers buffers; /* as the table */
    struct oriel_column *out;            /* input's fields, rank, position */
    struct oriel_column *gathered;
    uint32_t *rows;
    int64_t *ranks;
    size_t filled;
};

static enum oriel_status number_partitions(struct ranking *self, struct oriel_error *error) {
    const uint32_t count = self->plan->rank.partition_count;
    const size_t row_count = self->table->row_count;
    if (count == 0) {
        memset(self->ids, 0, row_count * sizeof *self->ids);
        return ORIEL_OK;
    }
    struct oriel_field *fields = oriel_arena_allocate_zeroed(&self->arena, count, sizeof *fields);
    struct oriel_column *keys = oriel_arena_allocate_zeroed(&self->arena, count, sizeof *keys);
    if (!fields || !keys)
        return oriel_error_memory(error);
    for (uint32_t k = 0; k < count; k++) {
        keys[k] = self->table->columns[self->plan->rank.partition[k]];
        fields[k] = self->table->schema.fields[self->plan->rank.partition[k]];
    }
    struct oriel_key_table table;
    ORIEL_TRY(
        oriel_key_table_init(&table, self->runtime, (struct oriel_schema){count, fields}, error));
    const enum oriel_status status = oriel_key_table_map(&table, keys, row_count, self->ids, error);
    oriel_key_table_deinit(&table);
    return status;
}

/* order = rows by partition, items, position. */
static enum oriel_status sort(struct ranking *self, struct oriel_error *error) {
    const struct oriel_schema schema = self->table->schema;
    const uint32_t id_column = schema.field_count;
    const uint32_t item_count = self->plan->rank.item_count + 2;
    struct oriel_field *fields =
        oriel_arena_allocate_zeroed(&self->arena, (size_t)id_column + 1, sizeof *fields);
    struct oriel_sort_item *items =
        oriel_arena_allocate_zeroed(&self->arena, item_count, sizeof *items);
    if (!fields || !items)
        return oriel_error_memory(error);
    memcpy(fields, schema.fields, id_column * sizeof *fields);
    memcpy(self->columns, self->table->columns, id_column * sizeof *self->columns);
    fields[id_column] = (struct oriel_field){
        "partition", oriel_type_with_null(oriel_type_make(ORIEL_TYPE_INT), false)};
    self->columns[id_column] =
        (struct oriel_column){.type = fields[id_column].type, .values = self->ids};
    items[0].column = id_column;
    for (uint32_t i = 0; i < self->plan->rank.item_count; i++)
        items[i + 1] = self->plan->rank.items[i];
    items[item_count - 1] = (struct oriel_sort_item){.column = self->input_count,
                                                     .descending = self->plan->rank.last_of_equals};
    struct oriel_sort_layout layout;
    ORIEL_TRY(oriel_sort_layout_make(&layout, &self->arena,
                                     (struct oriel_schema){id_column + 1, fields}, items,
                                     item_count, error));
    return oriel_sort_rows(&layout, self->runtime, self->columns, self->table->row_count,
                           self->order, error);
}

static enum oriel_status flush(struct ranking *self, struct oriel_error *error) {
    const uint32_t inputs = self->input_count;
    const struct oriel_batch batch = {
        .row_count = self->filled, .column_count = inputs + 2, .columns = self->out};
    if (self->filled == 0)
        return ORIEL_OK;
    oriel_gather_rows(self->runtime->kernels, self->table->columns, inputs + 1, self->rows,
                      self->filled, &self->buffers, self->gathered);
    memcpy(self->out, self->gathered, inputs * sizeof *self->out);
    self->out[inputs] = (struct oriel_column){.type = self->plan->schema.fields[inputs].type,
                                              .values = self->ranks};
    self->out[inputs + 1] = self->gathered[inputs];
    self->filled = 0;
    ORIEL_TRY(oriel_runtime_check(self->runtime, error));
    return oriel_sorter_add(self->sorter, self->worker, &batch, NULL, batch.row_count, error);
}

static enum oriel_status count_along(struct ranking *self, struct oriel_error *error) {
    const struct oriel_plan *plan = self->plan;
    const struct oriel_column *columns = self->table->columns;
    int64_t number = 0, rank = 0;
    for (size_t i = 0; i < self->table->row_count; i++) {
        const uint32_t row = self->order[i];
        const bool starts = i == 0 || self->ids[row] != self->ids[self->order[i - 1]];
        number = starts ? 1 : number + 1;
        if (plan->rank.function == ORIEL_RANK_ROW_NUMBER || starts) {
            rank = number;
        } else if (oriel_row_key_order(columns, self->order[i - 1], columns, row, plan->rank.items,
                                       plan->rank.item_count)) {
            rank = plan->rank.function == ORIEL_RANK_RANK ? number : rank + 1;
        }
        if (rank < plan->rank.low || rank > plan->rank.high)
            continue;
        self->rows[self->filled] = row;
        self->ranks[self->filled++] = rank;
        if (self->filled == self->runtime->batch_rows)
            ORIEL_TRY(flush(self, error));
    }
    return flush(self, error);
}

static enum oriel_status run(struct ranking *self, struct oriel_error *error) {
    struct oriel_arena *arena = &self->arena;
    const size_t capacity = self->runtime->batch_rows;
    const uint32_t columns = self->table->schema.field_count + 1;
    self->columns = oriel_arena_allocate_zeroed(arena, columns, sizeof *self->columns);
    self->out = oriel_arena_allocate_zeroed(arena, columns, sizeof *self->out);
    self->gathered = oriel_arena_allocate_zeroed(arena, columns, sizeof *self->gathered);
    self->rows = oriel_arena_allocate_zeroed(arena, capacity, sizeof *self->rows);
    self->ranks = oriel_arena_allocate_zeroed(arena, capacity, sizeof *self->ranks);
    if (!self->columns || !self->out || !self->gathered || !self->rows || !self->ranks)
        return oriel_error_memory(error);
    ORIEL_TRY(oriel_column_buffers_init(&self->buffers, self->runtime->memory, &self->table->schema,
                                        capacity, error));
    ORIEL_TRY(number_partitions(self, error));
    ORIEL_TRY(sort(self, error));
    return count_along(self, error);
}

enum oriel_status oriel_rank_rows(const struct oriel_plan *plan,
                                  const struct oriel_runtime *runtime,
                                  const struct oriel_table *table, struct oriel_sorter *sorter,
                                  unsigned worker, struct oriel_error *error) {
    struct oriel_memory *memory = runtime->memory;
    const size_t bytes = table->row_count * sizeof(uint32_t);
    struct ranking self = {.plan = plan,
                           .runtime = runtime,
                           .table = table,
                           .input_count = table->schema.field_count - 1,
                           .ids = oriel_memory_allocate(memory, bytes),
                           .order = oriel_memory_allocate(memory, bytes),
                           .sorter = sorter,
                           .worker = worker};
    oriel_arena_init(&self.arena, memory);
    const enum oriel_status status =
        self.ids && self.order ? run(&self, error) : oriel_error_memory(error);
    oriel_column_buffers_deinit(&self.buffers);
    oriel_arena_deinit(&self.arena);
    oriel_memory_release(memory, self.ids, bytes);
    oriel_memory_release(memory, self.order, bytes);
    return status;
}
