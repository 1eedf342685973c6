/*
 * SESSION as a table function: rows are partitioned by their keys, each partition gets its
 * sessions, and the rows with their windows are sorted into the order of the result: session end,
 * start, keys, place in the input.
 */
#include <string.h>

#include "engine/exec/drive.h"
#include "engine/exec/gather.h"
#include "engine/exec/key_table.h"
#include "engine/exec/partitions.h"
#include "engine/exec/positioned.h"
#include "engine/exec/row_key.h"
#include "engine/exec/row_time.h"
#include "engine/exec/session_assign.h"
#include "engine/exec/sinks.h"
#include "engine/exec/sorter.h"
#include "engine/exec/window_rows.h"

/* What one worker needs to take batches. */
struct intake {
    struct oriel_column *keys;
    uint64_t *hashes;
    int64_t *times_ms;
    uint32_t *rows;
    struct oriel_column *columns; /* rows with a time */
    struct oriel_column_buffers buffers;
};

struct session {
    struct oriel_sink sink;
    const struct oriel_runtime *runtime;
    const struct oriel_window *window;
    uint32_t input_count; /* fields of the input; the position is the next column */
    struct oriel_arena arena;
    struct oriel_schema key_schema;
    struct oriel_schema output; /* the plan's fields and the position */
    struct oriel_type window_time_type;
    unsigned worker_count;
    struct intake *intakes;
    struct oriel_positioned positioned;
    struct oriel_partitions partitions;
    struct oriel_sorter *sorter;
};

static void pick_keys(const struct session *self, const struct oriel_column *columns,
                      struct oriel_column *keys) {
    for (uint32_t k = 0; k < self->window->key_count; k++)
        keys[k] = columns[self->window->keys[k]];
}

static enum oriel_status push_session(struct oriel_sink *sink, unsigned worker,
                                      const struct oriel_batch *batch, struct oriel_error *error) {
    struct session *self = (struct session *)sink;
    struct intake *intake = &self->intakes[worker];
    struct oriel_batch rows = oriel_positioned_batch(&self->positioned, worker, batch);
    const int64_t *times_ms;
    const uint32_t *kept;
    size_t kept_count;
    ORIEL_TRY(oriel_window_times(self->runtime, self->window, batch, intake->times_ms, intake->rows,
                                 &times_ms, &kept, &kept_count, error));
    if (kept_count == 0)
        return ORIEL_OK;
    if (kept) {
        oriel_gather_rows(self->runtime->kernels, rows.columns, rows.column_count, kept, kept_count,
                          &intake->buffers, intake->columns);
        rows.columns = intake->columns;
        rows.row_count = kept_count;
    }
    pick_keys(self, rows.columns, intake->keys);
    oriel_row_key_hash(self->runtime->kernels, intake->keys, self->window->key_count,
                       rows.row_count, intake->hashes);
    return oriel_partitions_add(&self->partitions, worker, &rows, intake->hashes, error);
}

/* The rows of one partition on their way through. */
struct part {
    struct oriel_table table;
    struct oriel_key_table keys;
    struct oriel_sessions sessions;
    uint32_t *key_ids;
    int64_t *times_ms;
    struct oriel_column_buffers windows; /* columns of the output; only the last are used */
    struct oriel_column *columns;
};

/* Hands rows [first, first + count) with their windows to the sorter. */
static enum oriel_status emit(struct session *self, unsigned worker, struct part *part,
                              size_t first, size_t count, struct oriel_error *error) {
    const uint32_t inputs = self->input_count;
    struct oriel_column *columns = part->columns;
    uint64_t *words = (uint64_t *)(columns + self->output.field_count);
    struct oriel_column position;
    oriel_slice_columns(part->table.columns, inputs, first, count, words, columns);
    oriel_slice_columns(part->table.columns + inputs, 1, first, count, words + inputs, &position);
    for (uint32_t i = 0; i < ORIEL_WINDOW_COLUMNS; i++)
        columns[inputs + i] =
            (struct oriel_column){.type = self->output.fields[inputs + i].type,
                                  .values = part->windows.columns[inputs + i].values};
    columns[inputs + ORIEL_WINDOW_COLUMNS] = position;
    int64_t *starts_ms = columns[inputs].values;
    int64_t *ends_ms = columns[inputs + 1].values;
    for (size_t i = 0; i < count; i++) {
        const uint32_t session = part->sessions.session_of_row[first + i];
        starts_ms[i] = part->sessions.first_ms[session];
        ends_ms[i] = part->sessions.end_ms[session];
    }
    oriel_window_time_fill(self->runtime, &self->window_time_type, ends_ms, count,
                           columns[inputs + 2].values);
    const struct oriel_batch batch = {
        .row_count = count, .column_count = self->output.field_count, .columns = columns};
    return oriel_sorter_add(self->sorter, worker, &batch, NULL, count, error);
}

static enum oriel_status assign(struct session *self, struct part *part,
                                struct oriel_error *error) {
    const size_t row_count = part->table.row_count;
    const uint32_t key_count = self->window->key_count;
    const int64_t *times_ms = oriel_row_time_local(
        self->runtime, &part->table.columns[self->window->time_column], row_count, part->times_ms);
    if (key_count == 0)
        return oriel_session_assign(self->runtime, NULL, 1, times_ms, row_count,
                                    self->window->size_ms, &part->sessions, error);
    pick_keys(self, part->table.columns, part->columns);
    ORIEL_TRY(oriel_key_table_map(&part->keys, part->columns, row_count, part->key_ids, error));
    return oriel_session_assign(self->runtime, part->key_ids, part->keys.key_count, times_ms,
                                row_count, self->window->size_ms, &part->sessions, error);
}

static enum oriel_status process(struct session *self, unsigned worker, struct part *part,
                                 struct oriel_error *error) {
    const size_t row_count = part->table.row_count;
    const size_t step = oriel_slice_rows(self->runtime->batch_rows);
    struct oriel_memory *memory = self->runtime->memory;
    part->key_ids = oriel_memory_allocate(memory, row_count * sizeof *part->key_ids);
    part->times_ms = oriel_memory_allocate(memory, row_count * sizeof *part->times_ms);
    const size_t columns_bytes =
        self->output.field_count * (sizeof *part->columns + sizeof(uint64_t));
    part->columns = oriel_memory_allocate(memory, columns_bytes);
    enum oriel_status status =
        oriel_column_buffers_init(&part->windows, memory, &self->output, step, error);
    if (status == ORIEL_OK && (!part->key_ids || !part->times_ms || !part->columns))
        status = oriel_error_memory(error);
    if (status == ORIEL_OK && self->window->key_count)
        status = oriel_key_table_init(&part->keys, self->runtime, self->key_schema, error);
    if (status == ORIEL_OK)
        status = assign(self, part, error);
    for (size_t first = 0; first < row_count && status == ORIEL_OK; first += step) {
        const size_t left = row_count - first;
        status = oriel_runtime_check(self->runtime, error);
        if (status == ORIEL_OK)
            status = emit(self, worker, part, first, left < step ? left : step, error);
    }
    oriel_memory_release(memory, part->key_ids, row_count * sizeof *part->key_ids);
    oriel_memory_release(memory, part->times_ms, row_count * sizeof *part->times_ms);
    oriel_memory_release(memory, part->columns, columns_bytes);
    oriel_column_buffers_deinit(&part->windows);
    oriel_key_table_deinit(&part->keys);
    oriel_sessions_deinit(&part->sessions);
    return status;
}

static enum oriel_status work_on(void *context, unsigned worker, uint32_t partition,
                                 struct oriel_error *error) {
    struct session *self = context;
    struct part part = {0};
    oriel_table_init(&part.table, self->runtime->memory, self->positioned.schema);
    enum oriel_status status =
        oriel_partitions_load(&self->partitions, partition, &part.table, error);
    if (status == ORIEL_OK && part.table.row_count)
        status = process(self, worker, &part, error);
    oriel_table_deinit(&part.table);
    return status;
}

static enum oriel_status finish_session(struct oriel_sink *sink, struct oriel_source **out,
                                        struct oriel_error *error) {
    struct session *self = (struct session *)sink;
    ORIEL_TRY(oriel_partitions_each(&self->partitions, work_on, self, error));
    return oriel_sorter_finish(self->sorter, out, error);
}

static void close_session(struct oriel_sink *sink) {
    struct session *self = (struct session *)sink;
    for (unsigned w = 0; self->intakes && w < self->worker_count; w++)
        oriel_column_buffers_deinit(&self->intakes[w].buffers);
    oriel_sorter_close(&self->sorter);
    oriel_partitions_deinit(&self->partitions);
    oriel_positioned_deinit(&self->positioned);
    oriel_arena_deinit(&self->arena);
    oriel_memory_release(self->runtime->memory, self, sizeof *self);
}

static const struct oriel_sink_operations session_operations = {push_session, finish_session,
                                                                close_session, NULL};

static enum oriel_status open_intakes(struct session *self, struct oriel_error *error) {
    struct oriel_arena *arena = &self->arena;
    const size_t rows = self->runtime->batch_rows;
    self->intakes = oriel_arena_allocate_zeroed(arena, self->worker_count, sizeof *self->intakes);
    if (!self->intakes)
        return oriel_error_memory(error);
    for (unsigned w = 0; w < self->worker_count; w++) {
        struct intake *intake = &self->intakes[w];
        ORIEL_TRY(oriel_column_buffers_init(&intake->buffers, self->runtime->memory,
                                            &self->positioned.schema, rows, error));
        intake->keys =
            oriel_arena_allocate_zeroed(arena, self->window->key_count, sizeof *intake->keys);
        intake->hashes = oriel_arena_allocate_zeroed(arena, rows, sizeof *intake->hashes);
        intake->times_ms = oriel_arena_allocate_zeroed(arena, rows, sizeof *intake->times_ms);
        intake->rows = oriel_arena_allocate_zeroed(arena, rows + 64, sizeof *intake->rows);
        intake->columns = oriel_arena_allocate_zeroed(arena, self->positioned.schema.field_count,
                                                      sizeof *intake->columns);
        if (!intake->keys || !intake->hashes || !intake->times_ms || !intake->rows ||
            !intake->columns)
            return oriel_error_memory(error);
    }
    return ORIEL_OK;
}

static enum oriel_status open_sorter(struct session *self, const struct oriel_plan *plan,
                                     struct oriel_error *error) {
    const uint32_t key_count = self->window->key_count;
    const uint32_t item_count = key_count + 3;
    struct oriel_field *fields;
    ORIEL_TRY(oriel_schema_extend(&self->arena, plan->schema, 1, &fields, error));
    fields[plan->schema.field_count] = (struct oriel_field){"position", oriel_position_type()};
    self->output = (struct oriel_schema){plan->schema.field_count + 1, fields};
    struct oriel_sort_item *items =
        oriel_arena_allocate_zeroed(&self->arena, item_count, sizeof *items);
    struct oriel_field *keys = oriel_arena_allocate_zeroed(&self->arena, key_count, sizeof *keys);
    if (!items || !keys)
        return oriel_error_memory(error);
    items[0].column = self->input_count + 1; /* window_end, then window_start */
    items[1].column = self->input_count;
    for (uint32_t k = 0; k < key_count; k++) {
        items[2 + k] =
            (struct oriel_sort_item){.column = self->window->keys[k], .nulls_first = true};
        keys[k] = plan->schema.fields[self->window->keys[k]];
    }
    items[item_count - 1].column = plan->schema.field_count;
    self->key_schema = (struct oriel_schema){key_count, keys};
    return oriel_sorter_open(self->runtime, self->output, plan->schema.field_count, items,
                             item_count, INT64_MAX, &self->sorter, error);
}

static enum oriel_status open_parts(struct session *self, const struct oriel_plan *plan,
                                    struct oriel_error *error) {
    ORIEL_TRY(
        oriel_positioned_init(&self->positioned, self->runtime, plan->inputs[0]->schema, error));
    ORIEL_TRY(open_intakes(self, error));
    ORIEL_TRY(
        oriel_partitions_init(&self->partitions, self->runtime, self->positioned.schema, error));
    return open_sorter(self, plan, error);
}

enum oriel_status oriel_session_rows_open(const struct oriel_plan *plan,
                                          const struct oriel_runtime *runtime,
                                          struct oriel_sink **out, struct oriel_error *error) {
    struct session *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    if (!self)
        return oriel_error_memory(error);
    self->sink.operations = &session_operations;
    self->runtime = runtime;
    self->window = &plan->window.window;
    self->input_count = plan->inputs[0]->schema.field_count;
    self->window_time_type = plan->schema.fields[plan->schema.field_count - 1].type;
    self->worker_count = oriel_worker_count(runtime);
    oriel_arena_init(&self->arena, runtime->memory);
    const enum oriel_status status = open_parts(self, plan, error);
    if (status != ORIEL_OK) {
        close_session(&self->sink);
        return status;
    }
    *out = &self->sink;
    return ORIEL_OK;
}
