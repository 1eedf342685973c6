/*
 * TUMBLE, HOP and CUMULATE as table functions: each row goes on once for each of its windows, in
 * batches that never grow, however many windows a row has.
 */
#include <string.h>

#include "engine/base/civil.h"
#include "engine/exec/gather.h"
#include "engine/exec/pipeline.h"
#include "engine/exec/window_rows.h"
#include "kernels/kernels.h"

struct window_stage {
    struct oriel_stage stage;
    const struct oriel_runtime *runtime;
    const struct oriel_window *window;
    int64_t offset_ms; /* 0 .. unit - 1 */
    uint64_t expansion;
    uint32_t input_count; /* columns of the input */
    struct oriel_type window_time_type;
    struct oriel_arena arena;
    struct oriel_column_buffers buffers;
    struct oriel_column *columns; /* of the output */
    size_t capacity;
    int64_t *scratch;  /* wall-clock times, when they are not the column */
    uint32_t *kept;    /* rows with a time */
    int64_t *units_ms; /* by row: the latest slide (HOP) or the window (CUMULATE) */
    /* the output batch */
    size_t filled;
    uint64_t emitted; /* rows of this input batch that went on */
    uint32_t *rows;
    int64_t *starts_ms, *ends_ms;
    void *window_times;
};

uint64_t oriel_window_expansion(const struct oriel_window *window) {
    switch (window->kind) {
    case ORIEL_WINDOW_HOP: return (uint64_t)(window->size_ms / window->slide_ms) + 1;
    case ORIEL_WINDOW_CUMULATE: return (uint64_t)(window->size_ms / window->slide_ms) + 1;
    case ORIEL_WINDOW_TUMBLE:
    case ORIEL_WINDOW_SESSION: break;
    }
    return 1;
}

/* The step of the grid that windows start on. */
static int64_t unit_of(const struct oriel_window *window) {
    return window->kind == ORIEL_WINDOW_HOP ? window->slide_ms : window->size_ms;
}

/* Pushes `row_count` output rows whose input columns are `columns`. */
static enum oriel_status push_on(struct window_stage *self, const struct oriel_batch *batch,
                                 size_t row_count, struct oriel_error *error) {
    uint64_t first_row;
    if (__builtin_mul_overflow(batch->first_row, self->expansion, &first_row))
        return oriel_error_set(error, ORIEL_RUNTIME, "the windows make too many rows");
    oriel_window_time_fill(self->runtime, &self->window_time_type, self->ends_ms, row_count,
                           self->window_times);
    const struct oriel_batch out = {.row_count = row_count,
                                    .column_count = self->input_count + ORIEL_WINDOW_COLUMNS,
                                    .columns = self->columns,
                                    .first_row = first_row + self->emitted};
    self->emitted += row_count;
    return self->stage.next(self->stage.next_context, &out, error);
}

static enum oriel_status flush(struct window_stage *self, const struct oriel_batch *batch,
                               struct oriel_error *error) {
    const size_t row_count = self->filled;
    if (row_count == 0)
        return ORIEL_OK;
    ORIEL_TRY(oriel_runtime_check(self->runtime, error));
    self->filled = 0;
    oriel_gather_rows(self->runtime->kernels, batch->columns, self->input_count, self->rows,
                      row_count, &self->buffers, self->columns);
    return push_on(self, batch, row_count, error);
}

/* Emits `count` windows of one row: start and end move by the given steps. */
static enum oriel_status emit(struct window_stage *self, const struct oriel_batch *batch,
                              uint32_t row, int64_t start_ms, int64_t end_ms, int64_t start_step_ms,
                              int64_t end_step_ms, int64_t count, struct oriel_error *error) {
    while (count > 0) {
        const size_t room = self->capacity - self->filled;
        const size_t now = (uint64_t)count < room ? (size_t)count : room;
        for (size_t i = 0; i < now; i++) {
            const size_t at = self->filled + i;
            self->rows[at] = row;
            self->starts_ms[at] = start_ms + (int64_t)i * start_step_ms;
            self->ends_ms[at] = end_ms + (int64_t)i * end_step_ms;
        }
        self->filled += now;
        start_ms += (int64_t)now * start_step_ms;
        end_ms += (int64_t)now * end_step_ms;
        count -= (int64_t)now;
        if (self->filled == self->capacity)
            ORIEL_TRY(flush(self, batch, error));
    }
    return ORIEL_OK;
}

static enum oriel_status expand_row(struct window_stage *self, const struct oriel_batch *batch,
                                    uint32_t row, int64_t time_ms, struct oriel_error *error) {
    const struct oriel_window *window = self->window;
    const int64_t size = window->size_ms, slide = window->slide_ms;
    const int64_t unit = self->units_ms[row];
    if (window->kind == ORIEL_WINDOW_HOP) {
        /* starts unit, unit - slide, ... above time - size */
        const int64_t reach = unit - (time_ms - size);
        const int64_t count = reach > 0 ? (reach - 1) / slide + 1 : 0;
        return emit(self, batch, row, unit, unit + size, -slide, -slide, count, error);
    }
    if (window->kind == ORIEL_WINDOW_CUMULATE) {
        const int64_t first = (time_ms - unit) / slide + 1; /* steps to the first end */
        const int64_t count = size / slide - first + 1;
        return emit(self, batch, row, unit, unit + first * slide, 0, slide, count, error);
    }
    return emit(self, batch, row, unit, unit + size, 0, 0, 1, error);
}

/* TUMBLE with a time in every row: the input's columns go on as they are. */
static enum oriel_status push_tumble(struct window_stage *self, const struct oriel_batch *batch,
                                     const int64_t *times_ms, struct oriel_error *error) {
    memcpy(self->columns, batch->columns, self->input_count * sizeof *self->columns);
    self->runtime->kernels->floor_i64(times_ms, batch->row_count, self->window->size_ms,
                                      self->offset_ms, self->starts_ms);
    for (size_t i = 0; i < batch->row_count; i++)
        self->ends_ms[i] = self->starts_ms[i] + self->window->size_ms;
    return push_on(self, batch, batch->row_count, error);
}

static enum oriel_status push_window(struct oriel_stage *stage, const struct oriel_batch *batch,
                                     struct oriel_error *error) {
    struct window_stage *self = (struct window_stage *)stage;
    const int64_t *times_ms;
    const uint32_t *rows;
    size_t row_count;
    ORIEL_TRY(oriel_window_times(self->runtime, self->window, batch, self->scratch, self->kept,
                                 &times_ms, &rows, &row_count, error));
    self->emitted = 0;
    if (self->window->kind == ORIEL_WINDOW_TUMBLE && !rows)
        return push_tumble(self, batch, times_ms, error);
    self->runtime->kernels->floor_i64(times_ms, batch->row_count, unit_of(self->window),
                                      self->offset_ms, self->units_ms);
    self->filled = 0;
    for (size_t i = 0; i < row_count; i++) {
        const uint32_t row = rows ? rows[i] : (uint32_t)i;
        ORIEL_TRY(expand_row(self, batch, row, times_ms[row], error));
    }
    return flush(self, batch, error);
}

static void close_window(struct oriel_stage *stage) {
    struct window_stage *self = (struct window_stage *)stage;
    oriel_column_buffers_deinit(&self->buffers);
    oriel_arena_deinit(&self->arena);
    oriel_memory_release(self->runtime->memory, self, sizeof *self);
}

static const struct oriel_stage_operations window_operations = {push_window, close_window};

static enum oriel_status open_parts(struct window_stage *self, const struct oriel_plan *plan,
                                    struct oriel_error *error) {
    const size_t capacity = self->capacity;
    const struct oriel_schema input = {self->input_count, plan->schema.fields};
    ORIEL_TRY(
        oriel_column_buffers_init(&self->buffers, self->runtime->memory, &input, capacity, error));
    struct oriel_arena *arena = &self->arena;
    self->columns =
        oriel_arena_allocate_zeroed(arena, plan->schema.field_count, sizeof *self->columns);
    self->scratch = oriel_arena_allocate_zeroed(arena, capacity, sizeof *self->scratch);
    self->kept = oriel_arena_allocate_zeroed(arena, capacity + 64, sizeof *self->kept);
    self->units_ms = oriel_arena_allocate_zeroed(arena, capacity, sizeof *self->units_ms);
    self->rows = oriel_arena_allocate_zeroed(arena, capacity, sizeof *self->rows);
    if (!self->columns || !self->scratch || !self->kept || !self->units_ms || !self->rows)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < ORIEL_WINDOW_COLUMNS; i++) {
        struct oriel_column *column = &self->columns[self->input_count + i];
        column->type = plan->schema.fields[self->input_count + i].type;
        column->values = oriel_arena_allocate_zeroed(
            arena, capacity, oriel_physical_size(oriel_type_physical(&column->type)));
        if (!column->values)
            return oriel_error_memory(error);
    }
    self->starts_ms = self->columns[self->input_count].values;
    self->ends_ms = self->columns[self->input_count + 1].values;
    self->window_times = self->columns[self->input_count + 2].values;
    return ORIEL_OK;
}

enum oriel_status oriel_window_stage_open(const struct oriel_plan *plan,
                                          const struct oriel_runtime *runtime,
                                          struct oriel_stage **out, struct oriel_error *error) {
    struct window_stage *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    if (!self)
        return oriel_error_memory(error);
    self->stage.operations = &window_operations;
    self->runtime = runtime;
    self->window = &plan->window.window;
    self->offset_ms = oriel_floor_mod(self->window->offset_ms, unit_of(self->window));
    self->expansion = oriel_window_expansion(self->window);
    self->input_count = plan->schema.field_count - ORIEL_WINDOW_COLUMNS;
    self->window_time_type = plan->schema.fields[plan->schema.field_count - 1].type;
    self->capacity = runtime->batch_rows;
    oriel_arena_init(&self->arena, runtime->memory);
    const enum oriel_status status = open_parts(self, plan, error);
    if (status != ORIEL_OK) {
        close_window(&self->stage);
        return status;
    }
    *out = &self->stage;
    return ORIEL_OK;
}
