/*
 * Counts the windows of a result that is ordered by them, for the summary of a run. A window whose
 * rows go on in the next morsel counts once.
 */
#include <pthread.h>

#include "engine/exec/pipeline.h"

/* Windows of a morsel, and the first and last of them. */
struct span {
    uint64_t number;
    uint64_t count;
    int64_t first[2], last[2]; /* end, start */
};

struct window_count {
    struct oriel_source source;
    const struct oriel_runtime *runtime;
    struct oriel_source *input;
    uint32_t columns[2]; /* window_end, window_start */
    bool each_row;       /* SESSION: each row has a window of its own */
    pthread_mutex_t lock;
    struct span *spans;
    size_t span_count, span_capacity;
};

struct passage {
    struct window_count *self;
    struct span span;
    oriel_push *push;
    void *context;
};

static enum oriel_status pass(void *context, const struct oriel_batch *batch,
                              struct oriel_error *error) {
    struct passage *passage = context;
    const struct window_count *self = passage->self;
    struct span *span = &passage->span;
    const int64_t *ends = batch->columns[self->columns[0]].values;
    const int64_t *starts = batch->columns[self->columns[1]].values;
    for (size_t i = 0; i < batch->row_count; i++) {
        if (span->count && !self->each_row && ends[i] == span->last[0] &&
            starts[i] == span->last[1])
            continue;
        span->last[0] = ends[i];
        span->last[1] = starts[i];
        if (span->count++ == 0) {
            span->first[0] = ends[i];
            span->first[1] = starts[i];
        }
    }
    return passage->push(passage->context, batch, error);
}

/* 1 when the window that `a` ends with goes on in `b`. */
static uint64_t joins(const struct window_count *self, const struct span *a, const struct span *b) {
    return a && b && !self->each_row && a->last[0] == b->first[0] && a->last[1] == b->first[1];
}

/* Puts the span of a morsel into its place and counts what is new. */
static enum oriel_status keep_span(struct window_count *self, const struct span *span,
                                   struct oriel_error *error) {
    enum oriel_status status = ORIEL_OK;
    pthread_mutex_lock(&self->lock);
    if (self->span_count == self->span_capacity) {
        const size_t capacity = self->span_capacity ? 2 * self->span_capacity : 64;
        struct span *grown =
            oriel_memory_resize(self->runtime->memory, self->spans,
                                self->span_capacity * sizeof *grown, capacity * sizeof *grown);
        if (grown) {
            self->spans = grown;
            self->span_capacity = capacity;
        } else {
            status = oriel_error_memory(error);
        }
    }
    if (status == ORIEL_OK) {
        size_t at = self->span_count++;
        for (; at > 0 && self->spans[at - 1].number > span->number; at--)
            self->spans[at] = self->spans[at - 1];
        self->spans[at] = *span;
        const struct span *before = at ? &self->spans[at - 1] : NULL;
        const struct span *behind = at + 1 < self->span_count ? &self->spans[at + 1] : NULL;
        const uint64_t added = span->count + joins(self, before, behind) -
                               joins(self, before, span) - joins(self, span, behind);
        if (self->runtime->progress)
            atomic_fetch_add_explicit(&self->runtime->progress->windows, added,
                                      memory_order_relaxed);
    }
    pthread_mutex_unlock(&self->lock);
    return status;
}

static enum oriel_status start(struct oriel_source *source, unsigned worker_count,
                               struct oriel_error *error) {
    struct window_count *self = (struct window_count *)source;
    return self->input->operations->start(self->input, worker_count, error);
}

static enum oriel_status claim(struct oriel_source *source, struct oriel_morsel *morsel,
                               struct oriel_error *error) {
    struct window_count *self = (struct window_count *)source;
    return self->input->operations->claim(self->input, morsel, error);
}

static enum oriel_status read_counted(struct oriel_source *source, unsigned worker,
                                      const struct oriel_morsel *morsel, oriel_push *push,
                                      void *context, struct oriel_error *error) {
    struct window_count *self = (struct window_count *)source;
    struct passage passage = {
        .self = self, .span = {.number = morsel->number}, .push = push, .context = context};
    const enum oriel_status status =
        self->input->operations->read(self->input, worker, morsel, pass, &passage, error);
    if (passage.span.count && (status == ORIEL_OK || status == ORIEL_DONE))
        ORIEL_TRY(keep_span(self, &passage.span, error));
    return status;
}

static void close_count(struct oriel_source *source) {
    struct window_count *self = (struct window_count *)source;
    self->input->operations->close(self->input);
    oriel_memory_release(self->runtime->memory, self->spans,
                         self->span_capacity * sizeof *self->spans);
    pthread_mutex_destroy(&self->lock);
    oriel_memory_release(self->runtime->memory, self, sizeof *self);
}

static const struct oriel_source_operations count_operations = {start, claim, read_counted,
                                                                close_count};

/* The key columns that are the window; false when the plan has none. */
static bool find_columns(const struct oriel_plan *plan, uint32_t columns[2]) {
    bool found[2] = {false, false};
    if (plan->kind != ORIEL_PLAN_AGGREGATE || !plan->aggregate.window)
        return false;
    for (uint32_t k = 0; k < plan->aggregate.key_count; k++) {
        const enum oriel_key_kind kind = plan->aggregate.keys[k].kind;
        if (kind != ORIEL_KEY_WINDOW_END && kind != ORIEL_KEY_WINDOW_START)
            continue;
        columns[kind == ORIEL_KEY_WINDOW_START] = k;
        found[kind == ORIEL_KEY_WINDOW_START] = true;
    }
    return found[0] && found[1];
}

enum oriel_status oriel_window_count_open(const struct oriel_plan *plan,
                                          const struct oriel_runtime *runtime,
                                          struct oriel_source *input, struct oriel_source **out,
                                          struct oriel_error *error) {
    uint32_t columns[2];
    *out = input;
    if (!runtime->counts_windows || !find_columns(plan, columns))
        return ORIEL_OK;
    struct window_count *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    if (!self) {
        input->operations->close(input);
        return oriel_error_memory(error);
    }
    self->source = (struct oriel_source){&count_operations, input->schema};
    self->runtime = runtime;
    self->input = input;
    self->columns[0] = columns[0];
    self->columns[1] = columns[1];
    self->each_row = plan->aggregate.window->kind == ORIEL_WINDOW_SESSION;
    pthread_mutex_init(&self->lock, NULL);
    *out = &self->source;
    return ORIEL_OK;
}
