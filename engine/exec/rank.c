/*
 * ROW_NUMBER, RANK and DENSE_RANK with a range: Top-N and deduplication. With an upper bound each
 * worker keeps just what can be in it, and what all of them keep is put into order group by group.
 * Without one, or when memory is short, rows are sorted by partition and order, and counted along.
 */
#include <pthread.h>

#include "engine/exec/drive.h"
#include "engine/exec/positioned.h"
#include "engine/exec/rank_count.h"
#include "engine/exec/sinks.h"
#include "engine/exec/sorter.h"
#include "engine/exec/spill.h"
#include "engine/exec/top_merge.h"
#include "engine/exec/top_rows.h"

enum { FILTER_HIGH_MAX = 1 << 20, SPILL_ROWS_MIN = 64, RELIEF_ROUNDS = 4 };

struct rank_worker {
    pthread_mutex_t lock; /* others empty its filter when they are short of memory */
    struct oriel_top_filter filter;
    struct oriel_top_rows rows; /* on their way from the filter */
    struct oriel_top_kept *kept;
};

struct rank {
    struct oriel_sink sink;
    const struct oriel_runtime *runtime;
    const struct oriel_plan *plan;
    struct oriel_arena arena;
    unsigned worker_count;
    struct rank_worker *workers;
    bool filters;      /* rows go through the workers' filters */
    atomic_bool sorts; /* some rows went on from a filter to the sorter */
    struct oriel_top_layout layout;
    struct oriel_top_filter **top_filters; /* of the workers */
    struct oriel_top_merge merge;
    struct oriel_positioned positioned;
    struct oriel_sorter *sorter;
};

/* Moves what a worker's filter keeps to the sorter. */
static enum oriel_status empty_filter(struct rank *self, unsigned worker,
                                      struct oriel_error *error) {
    struct rank_worker *own = &self->workers[worker];
    const struct oriel_top_filter *filter = &own->filter;
    const struct oriel_top_groups *groups = &filter->groups;
    const struct oriel_column *store = filter->store.columns;
    struct oriel_top_rows *rows = &own->rows;
    struct oriel_top_walk walk = {0};
    atomic_store_explicit(&self->sorts, true, memory_order_relaxed);
    while ((rows->count =
                oriel_top_filter_kept(filter, &walk, own->kept, self->runtime->batch_rows))) {
        for (size_t i = 0; i < rows->count; i++) {
            const struct oriel_top_window *window = &groups->windows[own->kept[i].window];
            rows->picks[i] = (struct oriel_pick){0, own->kept[i].row};
            rows->key_rows[i] = own->kept[i].key;
            rows->ends[i] = window->end;
            rows->starts[i] = window->start;
        }
        oriel_top_rows_gather(rows, &store, 1, groups->keys.keys.columns);
        const struct oriel_batch batch = {.row_count = rows->count,
                                          .column_count = self->layout.rows.field_count,
                                          .columns = rows->columns};
        ORIEL_TRY(oriel_sorter_add(self->sorter, worker, &batch, NULL, batch.row_count, error));
    }
    return oriel_top_filter_clear(&own->filter, error);
}

/* Whether a filter should give its memory back: what it holds grows by doubling. */
static bool is_large(const struct rank *self, const struct oriel_top_filter *filter) {
    const struct oriel_memory *memory = self->runtime->memory;
    if (!memory->limit_bytes || oriel_top_filter_row_count(filter) < SPILL_ROWS_MIN)
        return false;
    return oriel_spill_wanted(self->runtime) ||
           oriel_top_filter_bytes(filter) >
               oriel_memory_available(memory) / (3 * self->worker_count);
}

static enum oriel_status empty_worker(void *context, unsigned worker, struct oriel_error *error) {
    struct rank *self = context;
    pthread_mutex_lock(&self->workers[worker].lock);
    oriel_memory_borrow(self->runtime->memory);
    const enum oriel_status status = empty_filter(self, worker, error);
    oriel_memory_repay(self->runtime->memory);
    pthread_mutex_unlock(&self->workers[worker].lock);
    return status;
}

/* Gives the memory of all workers back. */
static enum oriel_status relieve(struct rank *self, struct oriel_error *error) {
    for (unsigned w = 0; w < self->worker_count; w++)
        ORIEL_TRY(empty_worker(self, w, error));
    return oriel_sorter_relieve(self->sorter, error);
}

static enum oriel_status push_filter(struct rank *self, unsigned worker,
                                     const struct oriel_batch *rows, bool *full,
                                     struct oriel_error *error) {
    struct rank_worker *own = &self->workers[worker];
    pthread_mutex_lock(&own->lock);
    /* a filter that could not be opened again after it was emptied has failed the query */
    const enum oriel_status status = own->filter.runtime
                                         ? oriel_top_filter_push(&own->filter, rows, error)
                                         : oriel_error_memory(error);
    *full = status == ORIEL_OK && is_large(self, &own->filter);
    pthread_mutex_unlock(&own->lock);
    return status;
}

static enum oriel_status push_rank(struct oriel_sink *sink, unsigned worker,
                                   const struct oriel_batch *batch, struct oriel_error *error) {
    struct rank *self = (struct rank *)sink;
    const struct oriel_batch rows = oriel_positioned_batch(&self->positioned, worker, batch);
    if (!self->filters)
        return oriel_sorter_add(self->sorter, worker, &rows, NULL, rows.row_count, error);
    bool full;
    for (unsigned round = 0;; round++) {
        const enum oriel_status status = push_filter(self, worker, &rows, &full, error);
        if (status == ORIEL_OK)
            break;
        if (status != ORIEL_MEMORY || !self->runtime->memory->limit_bytes || round == RELIEF_ROUNDS)
            return status;
        ORIEL_TRY(relieve(self, error));
    }
    return full ? empty_worker(self, worker, error) : ORIEL_OK;
}

/* Puts what the filters keep into order where it lies. */
static enum oriel_status finish_filters(struct rank *self, struct oriel_source **out,
                                        struct oriel_error *error) {
    ORIEL_TRY(oriel_top_merge_init(&self->merge, self->runtime, &self->layout, self->top_filters,
                                   self->worker_count, error));
    const enum oriel_status status = oriel_top_source_open(&self->merge, out, error);
    if (status != ORIEL_OK)
        oriel_top_merge_deinit(&self->merge);
    return status;
}

static enum oriel_status finish_rank(struct oriel_sink *sink, struct oriel_source **out,
                                     struct oriel_error *error) {
    struct rank *self = (struct rank *)sink;
    if (self->filters && !self->sorts) {
        const enum oriel_status status = finish_filters(self, out, error);
        if (status != ORIEL_MEMORY || !self->runtime->memory->limit_bytes)
            return status;
    }
    if (self->filters)
        ORIEL_TRY(oriel_run_workers(self->runtime, empty_worker, self, error));
    struct oriel_source *sorted;
    struct oriel_sort_merge *merge = NULL;
    ORIEL_TRY(oriel_sorter_finish_whole(self->sorter, self->plan->rank.order_count, &sorted, &merge,
                                        error));
    return sorted ? oriel_ranked_source_open(self->plan, self->runtime, sorted, out, error)
                  : oriel_ranked_merge_open(self->plan, self->runtime, merge, out, error);
}

static void close_rank(struct oriel_sink *sink) {
    struct rank *self = (struct rank *)sink;
    oriel_top_merge_deinit(&self->merge);
    for (unsigned w = 0; self->workers && w < self->worker_count; w++) {
        oriel_top_filter_deinit(&self->workers[w].filter);
        oriel_top_rows_deinit(&self->workers[w].rows);
        if (self->top_filters && self->top_filters[w])
            pthread_mutex_destroy(&self->workers[w].lock);
    }
    oriel_sorter_close(&self->sorter);
    oriel_positioned_deinit(&self->positioned);
    oriel_arena_deinit(&self->arena);
    oriel_memory_release(self->runtime->memory, self, sizeof *self);
}

static const struct oriel_sink_operations rank_operations = {push_rank, finish_rank, close_rank,
                                                             NULL};

static enum oriel_status open_filter(struct rank *self, struct rank_worker *own,
                                     struct oriel_error *error) {
    const size_t rows = self->runtime->batch_rows;
    ORIEL_TRY(oriel_top_filter_init(&own->filter, self->runtime, &self->layout, error));
    ORIEL_TRY(oriel_top_rows_init(&own->rows, self->runtime, &self->layout, error));
    own->kept = oriel_arena_allocate_zeroed(&self->arena, rows, sizeof *own->kept);
    return own->kept ? ORIEL_OK : oriel_error_memory(error);
}

static enum oriel_status open_workers(struct rank *self, struct oriel_error *error) {
    struct oriel_arena *arena = &self->arena;
    self->workers = oriel_arena_allocate_zeroed(arena, self->worker_count, sizeof *self->workers);
    self->top_filters =
        oriel_arena_allocate_zeroed(arena, self->worker_count, sizeof *self->top_filters);
    if (!self->workers || !self->top_filters)
        return oriel_error_memory(error);
    for (unsigned w = 0; w < self->worker_count; w++) {
        struct rank_worker *own = &self->workers[w];
        self->top_filters[w] = &own->filter;
        pthread_mutex_init(&own->lock, NULL);
        if (self->filters)
            ORIEL_TRY(open_filter(self, own, error));
    }
    return ORIEL_OK;
}

static enum oriel_status open_parts(struct rank *self, struct oriel_error *error) {
    const struct oriel_plan *plan = self->plan;
    const struct oriel_schema input = plan->inputs[0]->schema;
    ORIEL_TRY(oriel_positioned_init(&self->positioned, self->runtime, input, error));
    if (self->filters)
        ORIEL_TRY(oriel_top_layout_make(&self->layout, &self->arena, plan, self->positioned.schema,
                                        error));
    ORIEL_TRY(open_workers(self, error));
    /* by partition in the order of the result, by the order items, and as they arrived */
    const uint32_t order_count = plan->rank.order_count;
    const uint32_t item_count = order_count + plan->rank.item_count + 1;
    struct oriel_sort_item *items =
        oriel_arena_allocate_zeroed(&self->arena, item_count, sizeof *items);
    if (!items)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < order_count; i++)
        items[i] = (struct oriel_sort_item){.column = plan->rank.order[i], .nulls_first = true};
    for (uint32_t i = 0; i < plan->rank.item_count; i++)
        items[order_count + i] = plan->rank.items[i];
    items[item_count - 1] = (struct oriel_sort_item){.column = input.field_count,
                                                     .descending = plan->rank.last_of_equals};
    return oriel_sorter_open(self->runtime, self->positioned.schema, input.field_count, items,
                             item_count, INT64_MAX, &self->sorter, error);
}

enum oriel_status oriel_rank_open(const struct oriel_plan *plan,
                                  const struct oriel_runtime *runtime, struct oriel_sink **out,
                                  struct oriel_error *error) {
    struct rank *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    if (!self)
        return oriel_error_memory(error);
    self->sink.operations = &rank_operations;
    self->runtime = runtime;
    self->plan = plan;
    self->worker_count = oriel_worker_count(runtime);
    self->filters = plan->choices[ORIEL_TOPIC_TOPN].strategy != ORIEL_STRATEGY_SORT &&
                    plan->rank.function == ORIEL_RANK_ROW_NUMBER &&
                    plan->rank.high <= FILTER_HIGH_MAX &&
                    plan->rank.order_count == plan->rank.partition_count;
    oriel_arena_init(&self->arena, runtime->memory);
    const enum oriel_status status = open_parts(self, error);
    if (status != ORIEL_OK) {
        close_rank(&self->sink);
        return status;
    }
    *out = &self->sink;
    return ORIEL_OK;
}
