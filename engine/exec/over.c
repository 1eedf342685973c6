/*
 * OVER: rows are partitioned by their keys, each partition is sorted and its frames computed, and
 * the rows with their results are sorted back into the order of the input.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/exec/drive.h"
#include "engine/exec/gather.h"
#include "engine/exec/over_frame.h"
#include "engine/exec/partitions.h"
#include "engine/exec/positioned.h"
#include "engine/exec/row_key.h"
#include "engine/exec/sinks.h"
#include "engine/exec/sorter.h"

struct over {
    struct oriel_sink sink;
    const struct oriel_runtime *runtime;
    const struct oriel_plan *plan;
    uint32_t input_count; /* fields of the input; the position is the next column */
    struct oriel_arena arena;
    struct oriel_schema output; /* the plan's fields and the position */
    unsigned worker_count;
    struct oriel_column **keys; /* of each worker */
    uint64_t **hashes;
    struct oriel_sort_item *items; /* partition columns, order items, position */
    uint32_t item_count;
    struct oriel_positioned positioned;
    struct oriel_partitions partitions;
    struct oriel_sorter *sorter;
};

static enum oriel_status push_over(struct oriel_sink *sink, unsigned worker,
                                   const struct oriel_batch *batch, struct oriel_error *error) {
    struct over *self = (struct over *)sink;
    const struct oriel_batch rows = oriel_positioned_batch(&self->positioned, worker, batch);
    for (uint32_t k = 0; k < self->plan->over.partition_count; k++)
        self->keys[worker][k] = batch->columns[self->plan->over.partition[k]];
    oriel_row_key_hash(self->runtime->kernels, self->keys[worker], self->plan->over.partition_count,
                       batch->row_count, self->hashes[worker]);
    return oriel_partitions_add(&self->partitions, worker, &rows, self->hashes[worker], error);
}

struct sorted {
    const struct over *self;
    const struct oriel_column *columns;
};

static int by_items(const void *a, const void *b, void *context) {
    const struct sorted *sorted = context;
    return oriel_row_key_order(sorted->columns, *(const uint32_t *)a, sorted->columns,
                               *(const uint32_t *)b, sorted->self->items, sorted->self->item_count);
}

/* The rows of one hash partition on their way through. */
struct part {
    struct oriel_table table;
    struct oriel_arena arena;
    uint32_t *order;
    struct oriel_column_buffers
        results; /* columns of the output; only those of the calls are used */
    struct oriel_column *columns;
};

static enum oriel_status compute(struct over *self, struct part *part, struct oriel_error *error) {
    const struct oriel_plan *plan = self->plan;
    const size_t row_count = part->table.row_count;
    const uint32_t key_count = plan->over.partition_count;
    for (size_t begin = 0, end; begin < row_count; begin = end) {
        for (end = begin + 1;
             end < row_count &&
             oriel_row_key_order(part->table.columns, part->order[begin], part->table.columns,
                                 part->order[end], self->items, key_count) == 0;)
            end++;
        const struct oriel_over_rows rows = {.columns = part->table.columns,
                                             .order = part->order + begin,
                                             .row_count = end - begin,
                                             .items = plan->over.items,
                                             .item_count = plan->over.item_count};
        for (uint32_t c = 0; c < plan->over.call_count; c++)
            ORIEL_TRY(oriel_over_compute(self->runtime, &plan->over.calls[c], &rows, &part->arena,
                                         &part->results.columns[self->input_count + c], error));
    }
    return ORIEL_OK;
}

/* Hands rows [first, first + count) with their results to the sorter. */
static enum oriel_status emit(struct over *self, unsigned worker, struct part *part, size_t first,
                              size_t count, struct oriel_error *error) {
    const uint32_t inputs = self->input_count, calls = self->plan->over.call_count;
    struct oriel_column *columns = part->columns;
    uint64_t *words = (uint64_t *)(columns + self->output.field_count);
    oriel_slice_columns(part->table.columns, inputs, first, count, words, columns);
    oriel_slice_columns(part->results.columns + inputs, calls, first, count, words + inputs,
                        columns + inputs);
    oriel_slice_columns(part->table.columns + inputs, 1, first, count, words + inputs + calls,
                        columns + inputs + calls);
    const struct oriel_batch batch = {
        .row_count = count, .column_count = self->output.field_count, .columns = columns};
    return oriel_sorter_add(self->sorter, worker, &batch, NULL, count, error);
}

static enum oriel_status process(struct over *self, unsigned worker, struct part *part,
                                 struct oriel_error *error) {
    const size_t row_count = part->table.row_count;
    const size_t step = oriel_slice_rows(self->runtime->batch_rows);
    part->order = oriel_arena_allocate(&part->arena, row_count * sizeof *part->order);
    part->columns = oriel_arena_allocate(
        &part->arena, self->output.field_count * (sizeof *part->columns + sizeof(uint64_t)));
    if (!part->order || !part->columns)
        return oriel_error_memory(error);
    ORIEL_TRY(oriel_column_buffers_init(&part->results, self->runtime->memory, &self->output,
                                        row_count, error));
    for (uint32_t c = 0; c < part->results.column_count; c++)
        memset(part->results.columns[c].valid, 0xFF,
               oriel_bits_word_count(row_count) * sizeof(uint64_t));
    for (size_t row = 0; row < row_count; row++)
        part->order[row] = (uint32_t)row;
    struct sorted sorted = {self, part->table.columns};
    qsort_r(part->order, row_count, sizeof *part->order, by_items, &sorted);
    ORIEL_TRY(compute(self, part, error));
    for (size_t first = 0; first < row_count; first += step) {
        const size_t left = row_count - first;
        ORIEL_TRY(emit(self, worker, part, first, left < step ? left : step, error));
    }
    return ORIEL_OK;
}

static enum oriel_status work_on(void *context, unsigned worker, uint32_t partition,
                                 struct oriel_error *error) {
    struct over *self = context;
    struct part part = {0};
    oriel_table_init(&part.table, self->runtime->memory, self->positioned.schema);
    oriel_arena_init(&part.arena, self->runtime->memory);
    enum oriel_status status =
        oriel_partitions_load(&self->partitions, partition, &part.table, error);
    if (status == ORIEL_OK && part.table.row_count)
        status = process(self, worker, &part, error);
    oriel_column_buffers_deinit(&part.results);
    oriel_arena_deinit(&part.arena);
    oriel_table_deinit(&part.table);
    return status;
}

static enum oriel_status finish_over(struct oriel_sink *sink, struct oriel_source **out,
                                     struct oriel_error *error) {
    struct over *self = (struct over *)sink;
    ORIEL_TRY(oriel_partitions_each(&self->partitions, work_on, self, error));
    return oriel_sorter_finish(self->sorter, out, error);
}

static void close_over(struct oriel_sink *sink) {
    struct over *self = (struct over *)sink;
    oriel_sorter_close(&self->sorter);
    oriel_partitions_deinit(&self->partitions);
    oriel_positioned_deinit(&self->positioned);
    oriel_arena_deinit(&self->arena);
    oriel_memory_release(self->runtime->memory, self, sizeof *self);
}

static const struct oriel_sink_operations over_operations = {push_over, finish_over, close_over,
                                                             NULL};

static enum oriel_status open_workers(struct over *self, struct oriel_error *error) {
    const size_t rows = self->runtime->batch_rows;
    self->keys = oriel_arena_allocate_zeroed(&self->arena, self->worker_count, sizeof *self->keys);
    self->hashes =
        oriel_arena_allocate_zeroed(&self->arena, self->worker_count, sizeof *self->hashes);
    if (!self->keys || !self->hashes)
        return oriel_error_memory(error);
    for (unsigned w = 0; w < self->worker_count; w++) {
        self->keys[w] = oriel_arena_allocate_zeroed(
            &self->arena, self->plan->over.partition_count + 1u, sizeof **self->keys);
        self->hashes[w] = oriel_arena_allocate_zeroed(&self->arena, rows, sizeof **self->hashes);
        if (!self->keys[w] || !self->hashes[w])
            return oriel_error_memory(error);
    }
    return ORIEL_OK;
}

static enum oriel_status open_order(struct over *self, struct oriel_error *error) {
    const struct oriel_plan *plan = self->plan;
    struct oriel_field *fields;
    ORIEL_TRY(oriel_schema_extend(&self->arena, plan->schema, 1, &fields, error));
    fields[plan->schema.field_count] = (struct oriel_field){"position", oriel_position_type()};
    self->output = (struct oriel_schema){plan->schema.field_count + 1, fields};
    self->items = oriel_arena_allocate_zeroed(
        &self->arena, plan->over.partition_count + plan->over.item_count + 1u, sizeof *self->items);
    if (!self->items)
        return oriel_error_memory(error);
    for (uint32_t k = 0; k < plan->over.partition_count; k++)
        self->items[self->item_count++] =
            (struct oriel_sort_item){.column = plan->over.partition[k], .nulls_first = true};
    for (uint32_t i = 0; i < plan->over.item_count; i++)
        self->items[self->item_count++] = plan->over.items[i];
    self->items[self->item_count++] = (struct oriel_sort_item){.column = self->input_count};
    const struct oriel_sort_item back = {.column = plan->schema.field_count};
    return oriel_sorter_open(self->runtime, self->output, plan->schema.field_count, &back, 1,
                             INT64_MAX, &self->sorter, error);
}

static enum oriel_status open_parts(struct over *self, struct oriel_error *error) {
    ORIEL_TRY(oriel_positioned_init(&self->positioned, self->runtime, self->plan->inputs[0]->schema,
                                    error));
    ORIEL_TRY(open_workers(self, error));
    ORIEL_TRY(
        oriel_partitions_init(&self->partitions, self->runtime, self->positioned.schema, error));
    return open_order(self, error);
}

enum oriel_status oriel_over_open(const struct oriel_plan *plan,
                                  const struct oriel_runtime *runtime, struct oriel_sink **out,
                                  struct oriel_error *error) {
    struct over *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    if (!self)
        return oriel_error_memory(error);
    self->sink.operations = &over_operations;
    self->runtime = runtime;
    self->plan = plan;
    self->input_count = plan->inputs[0]->schema.field_count;
    self->worker_count = oriel_worker_count(runtime);
    oriel_arena_init(&self->arena, runtime->memory);
    const enum oriel_status status = open_parts(self, error);
    if (status != ORIEL_OK) {
        close_over(&self->sink);
        return status;
    }
    *out = &self->sink;
    return ORIEL_OK;
}
