/*
 * Counts along sorted rows: ROW_NUMBER counts rows, RANK takes the number of the first of equal
 * rows, DENSE_RANK counts distinct ones.
 */
#include "engine/exec/rank_count.h"

#include <string.h>

#include "engine/exec/gather.h"
#include "engine/exec/row_key.h"
#include "engine/exec/sort_run.h"
#include "engine/exec/table_source.h"

/* Where the counting stands, and the room for one batch. */
struct counter {
    const struct oriel_plan *plan;
    const struct oriel_runtime *runtime;
    struct oriel_arena arena;
    struct oriel_table last; /* the row before the batch; none at the begin of a morsel */
    int64_t number, rank;
    uint32_t *rows; /* those in the range */
    int64_t *ranks;
    struct oriel_column_buffers buffers;
    struct oriel_column *keys, *last_keys;
    struct oriel_column *columns; /* of the result */
    oriel_push *push;
    void *context;
};

static enum oriel_status make_room(struct counter *counter, struct oriel_error *error) {
    const struct oriel_plan *plan = counter->plan;
    struct oriel_arena *arena = &counter->arena;
    const size_t rows = counter->runtime->batch_rows;
    const struct oriel_schema input = plan->inputs[0]->schema;
    counter->rows = oriel_arena_allocate_zeroed(arena, rows, sizeof *counter->rows);
    counter->ranks = oriel_arena_allocate_zeroed(arena, rows, sizeof *counter->ranks);
    counter->keys =
        oriel_arena_allocate_zeroed(arena, plan->rank.partition_count, sizeof *counter->keys);
    counter->last_keys =
        oriel_arena_allocate_zeroed(arena, plan->rank.partition_count, sizeof *counter->keys);
    counter->columns =
        oriel_arena_allocate_zeroed(arena, plan->schema.field_count, sizeof *counter->columns);
    if (!counter->rows || !counter->ranks || !counter->keys || !counter->last_keys ||
        !counter->columns)
        return oriel_error_memory(error);
    return oriel_column_buffers_init(&counter->buffers, counter->runtime->memory, &input, rows,
                                     error);
}

static void deinit(struct counter *counter) {
    if (!counter->runtime)
        return;
    oriel_table_deinit(&counter->last);
    oriel_column_buffers_deinit(&counter->buffers);
    oriel_arena_deinit(&counter->arena);
    *counter = (struct counter){0};
}

static enum oriel_status init(struct counter *counter, const struct oriel_plan *plan,
                              const struct oriel_runtime *runtime, struct oriel_error *error) {
    *counter = (struct counter){.plan = plan, .runtime = runtime};
    oriel_arena_init(&counter->arena, runtime->memory);
    oriel_table_init(&counter->last, runtime->memory, plan->inputs[0]->schema);
    const enum oriel_status status = make_room(counter, error);
    if (status != ORIEL_OK)
        deinit(counter);
    return status;
}

static void pick_keys(const struct oriel_plan *plan, const struct oriel_column *columns,
                      struct oriel_column *keys) {
    for (uint32_t k = 0; k < plan->rank.partition_count; k++)
        keys[k] = columns[plan->rank.partition[k]];
}

/* Counts one row on; `before` is the row before it. */
static void count_row(struct counter *counter, const struct oriel_column *columns, size_t row,
                      const struct oriel_column *before_keys, const struct oriel_column *before,
                      size_t before_row) {
    const struct oriel_plan *plan = counter->plan;
    const bool starts = !before || !oriel_row_key_equal(before_keys, before_row, counter->keys, row,
                                                        plan->rank.partition_count);
    counter->number = starts ? 1 : counter->number + 1;
    if (plan->rank.function == ORIEL_RANK_ROW_NUMBER || starts)
        counter->rank = counter->number;
    else if (oriel_row_key_order(before, before_row, columns, row, plan->rank.items,
                                 plan->rank.item_count))
        counter->rank =
            plan->rank.function == ORIEL_RANK_RANK ? counter->number : counter->rank + 1;
}

/* Sets rows and ranks to those in the range; returns how many. */
static size_t count_along(struct counter *counter, const struct oriel_column *columns,
                          size_t row_count) {
    const struct oriel_plan *plan = counter->plan;
    const bool has_last = counter->last.row_count != 0;
    size_t kept = 0;
    pick_keys(plan, columns, counter->keys);
    if (has_last)
        pick_keys(plan, counter->last.columns, counter->last_keys);
    for (size_t row = 0; row < row_count; row++) {
        if (row)
            count_row(counter, columns, row, counter->keys, columns, row - 1);
        else
            count_row(counter, columns, row, counter->last_keys,
                      has_last ? counter->last.columns : NULL, 0);
        counter->rows[kept] = (uint32_t)row;
        counter->ranks[kept] = counter->rank;
        kept += counter->rank >= plan->rank.low && counter->rank <= plan->rank.high;
    }
    return kept;
}

static enum oriel_status remember_last(struct counter *counter, const struct oriel_batch *batch,
                                       struct oriel_error *error) {
    oriel_table_clear(&counter->last);
    return oriel_table_append(&counter->last, batch, NULL, batch->row_count - 1, 1, error);
}

/* Pushes the rows of a sorted batch that are in the range. */
static enum oriel_status push_counted(void *context, const struct oriel_batch *batch,
                                      struct oriel_error *error) {
    struct counter *counter = context;
    const uint32_t inputs = counter->plan->inputs[0]->schema.field_count;
    if (batch->row_count == 0)
        return ORIEL_OK;
    const size_t kept = count_along(counter, batch->columns, batch->row_count);
    ORIEL_TRY(remember_last(counter, batch, error));
    if (kept == 0)
        return ORIEL_OK;
    if (kept == batch->row_count)
        memcpy(counter->columns, batch->columns, inputs * sizeof *counter->columns);
    else
        oriel_gather_rows(counter->runtime->kernels, batch->columns, inputs, counter->rows, kept,
                          &counter->buffers, counter->columns);
    counter->columns[inputs] = (struct oriel_column){
        .type = counter->plan->schema.fields[inputs].type, .values = counter->ranks};
    const struct oriel_batch out = {.row_count = kept,
                                    .column_count = inputs + 1,
                                    .columns = counter->columns,
                                    .first_row = batch->first_row};
    return counter->push(counter->context, &out, error);
}

/* Morsels of whole partitions, counted by the workers that read them. */
struct ranked {
    struct oriel_source source;
    const struct oriel_plan *plan;
    const struct oriel_runtime *runtime;
    struct oriel_source *input;
    struct oriel_arena arena;
    unsigned counter_count;
    struct counter *counters;
};

static enum oriel_status start(struct oriel_source *source, unsigned worker_count,
                               struct oriel_error *error) {
    struct ranked *self = (struct ranked *)source;
    ORIEL_TRY(self->input->operations->start(self->input, worker_count, error));
    self->counters =
        oriel_arena_allocate_zeroed(&self->arena, worker_count, sizeof *self->counters);
    if (!self->counters)
        return oriel_error_memory(error);
    for (unsigned w = 0; w < worker_count; w++) {
        self->counter_count = w + 1;
        ORIEL_TRY(init(&self->counters[w], self->plan, self->runtime, error));
    }
    return ORIEL_OK;
}

static enum oriel_status claim(struct oriel_source *source, struct oriel_morsel *morsel,
                               struct oriel_error *error) {
    struct ranked *self = (struct ranked *)source;
    return self->input->operations->claim(self->input, morsel, error);
}

static enum oriel_status read_ranked(struct oriel_source *source, unsigned worker,
                                     const struct oriel_morsel *morsel, oriel_push *push,
                                     void *context, struct oriel_error *error) {
    struct ranked *self = (struct ranked *)source;
    struct counter *counter = &self->counters[worker];
    counter->push = push;
    counter->context = context;
    oriel_table_clear(&counter->last);
    return self->input->operations->read(self->input, worker, morsel, push_counted, counter, error);
}

static void close_ranked(struct oriel_source *source) {
    struct ranked *self = (struct ranked *)source;
    for (unsigned w = 0; w < self->counter_count; w++)
        deinit(&self->counters[w]);
    self->input->operations->close(self->input);
    oriel_arena_deinit(&self->arena);
    oriel_memory_release(self->runtime->memory, self, sizeof *self);
}

static const struct oriel_source_operations ranked_operations = {start, claim, read_ranked,
                                                                 close_ranked};

enum oriel_status oriel_ranked_source_open(const struct oriel_plan *plan,
                                           const struct oriel_runtime *runtime,
                                           struct oriel_source *source, struct oriel_source **out,
                                           struct oriel_error *error) {
    struct ranked *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    if (!self) {
        source->operations->close(source);
        return oriel_error_memory(error);
    }
    self->source = (struct oriel_source){&ranked_operations, plan->schema};
    self->plan = plan;
    self->runtime = runtime;
    self->input = source;
    oriel_arena_init(&self->arena, runtime->memory);
    *out = &self->source;
    return ORIEL_OK;
}

/* The rows of a merge, counted while they are merged. */
struct ranked_rows {
    struct oriel_generator generator;
    struct counter counter;
    struct oriel_sort_merge *merge;
    struct oriel_table sorted;
    struct oriel_memory *memory;
};

static enum oriel_status append_counted(void *context, const struct oriel_batch *batch,
                                        struct oriel_error *error) {
    return oriel_table_append(context, batch, NULL, 0, batch->row_count, error);
}

static enum oriel_status next_rows(struct oriel_generator *generator, struct oriel_table *table,
                                   size_t row_count, struct oriel_error *error) {
    struct ranked_rows *self = (struct ranked_rows *)generator;
    const struct oriel_runtime *runtime = self->counter.runtime;
    self->counter.push = append_counted;
    self->counter.context = table;
    do {
        oriel_table_clear(&self->sorted);
        ORIEL_TRY(oriel_sort_merge_next(self->merge, &self->sorted, row_count, error));
        ORIEL_TRY(oriel_table_push(runtime, &self->sorted, self->sorted.schema.field_count, 0,
                                   self->sorted.row_count, 0, push_counted, &self->counter, error));
    } while (self->sorted.row_count && table->row_count == 0);
    return ORIEL_OK;
}

static void close_rows(struct oriel_generator *generator) {
    struct ranked_rows *self = (struct ranked_rows *)generator;
    deinit(&self->counter);
    oriel_sort_merge_close(&self->merge);
    oriel_table_deinit(&self->sorted);
    oriel_memory_release(self->memory, self, sizeof *self);
}

static const struct oriel_generator_operations rows_operations = {next_rows, close_rows};

enum oriel_status oriel_ranked_merge_open(const struct oriel_plan *plan,
                                          const struct oriel_runtime *runtime,
                                          struct oriel_sort_merge *merge, struct oriel_source **out,
                                          struct oriel_error *error) {
    struct ranked_rows *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    if (!self) {
        oriel_sort_merge_close(&merge);
        return oriel_error_memory(error);
    }
    self->generator.operations = &rows_operations;
    self->memory = runtime->memory;
    self->merge = merge;
    oriel_table_init(&self->sorted, runtime->memory, plan->inputs[0]->schema);
    const enum oriel_status status = init(&self->counter, plan, runtime, error);
    if (status != ORIEL_OK) {
        close_rows(&self->generator);
        return status;
    }
    return oriel_generator_source_open(runtime, &self->generator, plan->schema, out, error);
}
