/*
 * Around the scan of a table with a watermark whose late rows are to be counted. Workers note of
 * each row its watermark and when its windows fire (late_count.h); the notes of the morsels are
 * counted in the order of the input, by whoever brings the next. The rows go on untouched.
 */
#include <pthread.h>
#include <string.h>

#include "engine/base/civil.h"
#include "engine/base/zone.h"
#include "engine/exec/late_count.h"
#include "engine/exec/pipeline.h"
#include "engine/exec/row_time.h"
#include "kernels/kernels.h"

enum { NO_CONDITION = UINT32_MAX };

/* Where the values of an operator are among the expressions. */
struct places {
    uint32_t condition;
    uint32_t time; /* the keys behind it */
};

struct worker {
    struct oriel_evaluator *evaluator;
    const struct oriel_column *values; /* of the expressions, for the batch at hand */
    int64_t *times;
    int64_t *units;
};

/* The notes of a morsel that waits for its turn. */
struct notes {
    struct notes *next;
    uint64_t number;
    struct oriel_late_note *first, **last;
};

struct late_source {
    struct oriel_source source;
    const struct oriel_runtime *runtime;
    struct oriel_arena arena;
    struct oriel_source *input;
    struct places *places;
    uint32_t expression_count;
    struct oriel_expression **expressions; /* 0: the watermark */
    unsigned worker_count;
    struct worker *workers;
    struct oriel_late_count count; /* of whoever counts */
    pthread_mutex_t lock;          /* of the fields below */
    struct notes *waiting;
    uint64_t turn;
    bool is_counting;
};

/* A morsel on its way. */
struct passage {
    struct late_source *self;
    struct worker *worker;
    struct notes *notes;
    oriel_push *push;
    void *context;
};

static void free_note(struct late_source *self, struct oriel_late_note *note) {
    for (uint32_t o = 0; note->keys && o < note->operator_count; o++)
        oriel_table_deinit(&note->keys[o]);
    oriel_memory_release(self->runtime->memory, note->keys,
                         note->operator_count * sizeof *note->keys);
    oriel_memory_release(self->runtime->memory, note, note->block_bytes);
}

static void free_notes(struct late_source *self, struct notes *notes) {
    while (notes->first) {
        struct oriel_late_note *note = notes->first;
        notes->first = note->next;
        free_note(self, note);
    }
    oriel_memory_release(self->runtime->memory, notes, sizeof *notes);
}

static int64_t fires_at(const struct late_source *self, int64_t end_ms) {
    return self->count.is_zoned ? oriel_zone_to_instant(self->runtime->zone, end_ms - 1)
                                : end_ms - 1;
}

/* The ends of the first and the last window of a row; false when it has none. */
static bool window_ends(const struct oriel_window *window, int64_t time_ms, int64_t unit_ms,
                        int64_t *first_ms, int64_t *last_ms) {
    const int64_t size = window->size_ms, slide = window->slide_ms;
    *first_ms = *last_ms = unit_ms + size;
    if (window->kind == ORIEL_WINDOW_HOP) {
        const int64_t reach = unit_ms - (time_ms - size);
        if (reach <= 0)
            return false;
        *first_ms = *last_ms - (reach - 1) / slide * slide;
    } else if (window->kind == ORIEL_WINDOW_CUMULATE) {
        *first_ms = unit_ms + ((time_ms - unit_ms) / slide + 1) * slide;
    }
    return true;
}

static void note_windows(const struct late_source *self, const struct worker *worker,
                         const struct oriel_late_operator *state, size_t row_count,
                         const int64_t *times_ms, int64_t *firsts, int64_t *lasts) {
    const struct oriel_window *window = state->watch->window;
    const int64_t unit = window->kind == ORIEL_WINDOW_HOP ? window->slide_ms : window->size_ms;
    int64_t ends[2] = {0, 0}, fires[2] = {0, 0}; /* of the row before: mostly the same */
    bool is_known = false;
    self->runtime->kernels->floor_i64(times_ms, row_count, unit,
                                      oriel_floor_mod(window->offset_ms, unit), worker->units);
    for (size_t i = 0; i < row_count; i++) {
        int64_t first, last;
        if (firsts[i] == ORIEL_LATE_NEVER)
            continue;
        if (!window_ends(window, times_ms[i], worker->units[i], &first, &last)) {
            firsts[i] = ORIEL_LATE_NEVER;
            continue;
        }
        if (!is_known || first != ends[0] || last != ends[1]) {
            is_known = true;
            ends[0] = first;
            ends[1] = last;
            fires[0] = fires_at(self, first);
            fires[1] = fires_at(self, last);
        }
        firsts[i] = fires[0];
        lasts[i] = fires[1];
    }
}

static enum oriel_status note_operator(struct late_source *self, const struct worker *worker,
                                       uint32_t number, struct oriel_late_note *note,
                                       struct oriel_error *error) {
    const struct oriel_late_operator *state = &self->count.operators[number];
    const struct places places = self->places[number];
    const struct oriel_column *time = &worker->values[places.time];
    const struct oriel_column *condition =
        places.condition == NO_CONDITION ? NULL : &worker->values[places.condition];
    const size_t rows = note->row_count;
    int64_t *firsts = note->lanes + (1 + 2 * (size_t)number) * rows;
    const int64_t *times = oriel_row_time_local(self->runtime, time, rows, worker->times);
    for (size_t i = 0; i < rows; i++) {
        const bool counts = !oriel_column_is_null(time, i) &&
                            (!condition || (!oriel_column_is_null(condition, i) &&
                                            ((const int8_t *)condition->values)[i]));
        firsts[i] = counts ? times[i] : ORIEL_LATE_NEVER;
    }
    if (!state->has_sessions) {
        note_windows(self, worker, state, rows, times, firsts, firsts + rows);
        return ORIEL_OK;
    }
    if (!state->has_keys)
        return ORIEL_OK;
    struct oriel_column keys[64];
    const uint32_t key_count = state->key_schema.field_count;
    for (uint32_t k = 0; k < key_count; k++)
        keys[k] = worker->values[places.time + 1 + k];
    const struct oriel_batch batch = {
        .row_count = rows, .column_count = key_count, .columns = keys};
    return oriel_table_append(&note->keys[number], &batch, NULL, 0, rows, error);
}

static enum oriel_status make_note(struct late_source *self, const struct oriel_batch *batch,
                                   struct oriel_late_note **out, struct oriel_error *error) {
    struct oriel_memory *memory = self->runtime->memory;
    const uint32_t operators = self->count.operator_count;
    const size_t rows = batch->row_count, lanes = 1 + 2 * (size_t)operators;
    const bool has_place = batch->place && batch->place->file;
    const size_t bytes = sizeof(struct oriel_late_note) + rows * lanes * sizeof(int64_t) +
                         (has_place ? rows * sizeof(uint32_t) : 0);
    struct oriel_late_note *note = oriel_memory_allocate(memory, bytes);
    if (!note)
        return oriel_error_memory(error);
    *note = (struct oriel_late_note){
        .block_bytes = bytes, .row_count = rows, .operator_count = operators};
    note->keys = oriel_memory_allocate_zeroed(memory, operators, sizeof *note->keys);
    for (uint32_t o = 0; note->keys && o < operators; o++)
        oriel_table_init(&note->keys[o], memory, self->count.operators[o].key_schema);
    if (has_place) {
        uint32_t *offsets = (void *)(note->lanes + rows * lanes);
        for (size_t i = 0; i < rows; i++)
            offsets[i] = batch->place->offsets[i * batch->place->stride];
        note->file = batch->place->file;
        note->offsets = offsets;
        note->offset_base = batch->place->offset_base;
    }
    *out = note;
    return note->keys ? ORIEL_OK : oriel_error_memory(error);
}

static void note_watermarks(const struct oriel_column *column, struct oriel_late_note *note) {
    const bool is_wide = oriel_type_physical(&column->type) == ORIEL_PHYSICAL_I128;
    for (size_t i = 0; i < note->row_count; i++) {
        if (oriel_column_is_null(column, i))
            note->lanes[i] = ORIEL_LATE_NO_WATERMARK;
        else if (is_wide)
            note->lanes[i] = (int64_t)(((const oriel_i128 *)column->values)[i] / 1000000);
        else
            note->lanes[i] = ((const int64_t *)column->values)[i];
    }
}

static enum oriel_status pass(void *context, const struct oriel_batch *batch,
                              struct oriel_error *error) {
    struct passage *passage = context;
    struct late_source *self = passage->self;
    if (batch->row_count) {
        struct oriel_late_note *note = NULL;
        ORIEL_TRY(oriel_evaluator_run(passage->worker->evaluator, batch, &passage->worker->values,
                                      error));
        enum oriel_status status = make_note(self, batch, &note, error);
        if (note) {
            *passage->notes->last = note;
            passage->notes->last = &note->next;
            note_watermarks(&passage->worker->values[0], note);
        }
        for (uint32_t o = 0; status == ORIEL_OK && o < self->count.operator_count; o++)
            status = note_operator(self, passage->worker, o, note, error);
        if (status != ORIEL_OK)
            return status;
    }
    return passage->push(passage->context, batch, error);
}

/* The notes whose turn it is, taken out of the list; NULL when they have not come. */
static struct notes *take_next(struct late_source *self) {
    for (struct notes **link = &self->waiting; *link; link = &(*link)->next) {
        struct notes *notes = *link;
        if (notes->number != self->turn)
            continue;
        *link = notes->next;
        return notes;
    }
    return NULL;
}

static enum oriel_status bring(struct late_source *self, struct notes *notes,
                               struct oriel_error *error) {
    enum oriel_status status = ORIEL_OK;
    pthread_mutex_lock(&self->lock);
    notes->next = self->waiting;
    self->waiting = notes;
    while (!self->is_counting && status == ORIEL_OK && (notes = take_next(self)) != NULL) {
        self->is_counting = true;
        pthread_mutex_unlock(&self->lock);
        for (struct oriel_late_note *note = notes->first; note && status == ORIEL_OK;
             note = note->next)
            status = oriel_late_count_add(&self->count, note, error);
        free_notes(self, notes);
        pthread_mutex_lock(&self->lock);
        self->turn++;
        self->is_counting = false;
    }
    pthread_mutex_unlock(&self->lock);
    return status;
}

static enum oriel_status start(struct oriel_source *source, unsigned worker_count,
                               struct oriel_error *error) {
    struct late_source *self = (struct late_source *)source;
    const size_t rows = self->runtime->batch_rows;
    ORIEL_TRY(self->input->operations->start(self->input, worker_count, error));
    self->workers = oriel_arena_allocate_zeroed(&self->arena, worker_count, sizeof *self->workers);
    if (!self->workers)
        return oriel_error_memory(error);
    self->worker_count = worker_count;
    for (unsigned w = 0; w < worker_count; w++) {
        struct worker *worker = &self->workers[w];
        worker->times = oriel_arena_allocate_zeroed(&self->arena, rows, sizeof *worker->times);
        worker->units = oriel_arena_allocate_zeroed(&self->arena, rows, sizeof *worker->units);
        if (!worker->times || !worker->units)
            return oriel_error_memory(error);
        ORIEL_TRY(oriel_evaluator_open(self->runtime, self->expressions, self->expression_count,
                                       &worker->evaluator, error));
    }
    for (uint32_t o = 0; o < self->count.operator_count; o++)
        self->count.operators[o].watch->report->is_counted = true;
    return ORIEL_OK;
}

static enum oriel_status claim(struct oriel_source *source, struct oriel_morsel *morsel,
                               struct oriel_error *error) {
    struct late_source *self = (struct late_source *)source;
    return self->input->operations->claim(self->input, morsel, error);
}

static enum oriel_status read_noted(struct oriel_source *source, unsigned worker,
                                    const struct oriel_morsel *morsel, oriel_push *push,
                                    void *context, struct oriel_error *error) {
    struct late_source *self = (struct late_source *)source;
    struct notes *notes = oriel_memory_allocate_zeroed(self->runtime->memory, 1, sizeof *notes);
    if (!notes)
        return oriel_error_memory(error);
    notes->number = morsel->number;
    notes->last = &notes->first;
    struct passage passage = {self, &self->workers[worker], notes, push, context};
    const enum oriel_status status =
        self->input->operations->read(self->input, worker, morsel, pass, &passage, error);
    if (status != ORIEL_OK && status != ORIEL_DONE) {
        free_notes(self, notes);
        return status;
    }
    ORIEL_TRY(bring(self, notes, error));
    return status;
}

static void close_late(struct oriel_source *source) {
    struct late_source *self = (struct late_source *)source;
    self->input->operations->close(self->input);
    for (unsigned w = 0; w < self->worker_count; w++)
        oriel_evaluator_close(&self->workers[w].evaluator);
    while (self->waiting) {
        struct notes *notes = self->waiting;
        self->waiting = notes->next;
        free_notes(self, notes);
    }
    oriel_late_count_deinit(&self->count);
    pthread_mutex_destroy(&self->lock);
    oriel_arena_deinit(&self->arena);
    oriel_memory_release(self->runtime->memory, self, sizeof *self);
}

static const struct oriel_source_operations late_operations = {start, claim, read_noted,
                                                               close_late};

static enum oriel_status open_operator(struct late_source *self, const struct oriel_watch *watch,
                                       struct oriel_late_operator *state, struct places *places,
                                       struct oriel_error *error) {
    const uint32_t key_count = watch->window->key_count;
    state->watch = watch;
    places->condition = NO_CONDITION;
    if (watch->condition) {
        places->condition = self->expression_count;
        self->expressions[self->expression_count++] = watch->condition;
    }
    places->time = self->expression_count;
    self->expressions[self->expression_count++] = watch->time;
    if (watch->window->kind != ORIEL_WINDOW_SESSION)
        return ORIEL_OK;
    oriel_late_sessions_init(&state->sessions, self->runtime->memory);
    state->has_sessions = true;
    if (key_count == 0)
        return ORIEL_OK;
    struct oriel_field *fields =
        oriel_arena_allocate_zeroed(&self->arena, key_count, sizeof *fields);
    if (!fields)
        return oriel_error_memory(error);
    for (uint32_t k = 0; k < key_count; k++) {
        fields[k] = (struct oriel_field){"", watch->keys[k]->type};
        self->expressions[self->expression_count++] = watch->keys[k];
    }
    state->key_schema = (struct oriel_schema){key_count, fields};
    ORIEL_TRY(oriel_key_table_init(&state->keys, self->runtime, state->key_schema, error));
    state->has_keys = true;
    return ORIEL_OK;
}

static enum oriel_status open_operators(struct late_source *self, const struct oriel_plan *scan,
                                        struct oriel_error *error) {
    uint32_t operators = 0, expressions = 1;
    for (const struct oriel_watch *watch = scan->scan.watches; watch; watch = watch->next) {
        operators++;
        expressions += 2 + watch->window->key_count;
    }
    self->places = oriel_arena_allocate_zeroed(&self->arena, operators, sizeof *self->places);
    self->expressions =
        oriel_arena_allocate_zeroed(&self->arena, expressions, sizeof *self->expressions);
    self->count.operators =
        oriel_arena_allocate_zeroed(&self->arena, operators, sizeof *self->count.operators);
    if (!self->places || !self->expressions || !self->count.operators)
        return oriel_error_memory(error);
    self->expressions[self->expression_count++] = scan->scan.watermark;
    self->count.is_zoned = scan->scan.watermark->type.id == ORIEL_TYPE_TIMESTAMP_LTZ;
    for (const struct oriel_watch *watch = scan->scan.watches; watch; watch = watch->next) {
        const uint32_t o = self->count.operator_count++;
        ORIEL_TRY(open_operator(self, watch, &self->count.operators[o], &self->places[o], error));
    }
    return ORIEL_OK;
}

enum oriel_status oriel_late_source_open(const struct oriel_plan *scan,
                                         const struct oriel_runtime *runtime,
                                         struct oriel_source *input, struct oriel_source **out,
                                         struct oriel_error *error) {
    struct late_source *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    if (!self) {
        input->operations->close(input);
        return oriel_error_memory(error);
    }
    self->source = (struct oriel_source){&late_operations, input->schema};
    self->runtime = runtime;
    self->input = input;
    oriel_arena_init(&self->arena, runtime->memory);
    pthread_mutex_init(&self->lock, NULL);
    oriel_late_count_init(&self->count, runtime);
    const enum oriel_status status = open_operators(self, scan, error);
    if (status != ORIEL_OK) {
        close_late(&self->source);
        return status;
    }
    *out = &self->source;
    return ORIEL_OK;
}
