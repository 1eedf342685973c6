/*
 * ORDER BY: rows with their positions go through the sorter, which makes the order stable.
 */
#include "engine/exec/positioned.h"
#include "engine/exec/sinks.h"
#include "engine/exec/sorter.h"

struct sort {
    struct oriel_sink sink;
    const struct oriel_runtime *runtime;
    struct oriel_positioned positioned;
    struct oriel_sorter *sorter;
};

static enum oriel_status push_sort(struct oriel_sink *sink, unsigned worker,
                                   const struct oriel_batch *batch, struct oriel_error *error) {
    struct sort *self = (struct sort *)sink;
    const struct oriel_batch rows = oriel_positioned_batch(&self->positioned, worker, batch);
    return oriel_sorter_add(self->sorter, worker, &rows, NULL, rows.row_count, error);
}

static enum oriel_status finish_sort(struct oriel_sink *sink, struct oriel_source **out,
                                     struct oriel_error *error) {
    return oriel_sorter_finish(((struct sort *)sink)->sorter, out, error);
}

static void close_sort(struct oriel_sink *sink) {
    struct sort *self = (struct sort *)sink;
    oriel_sorter_close(&self->sorter);
    oriel_positioned_deinit(&self->positioned);
    oriel_memory_release(self->runtime->memory, self, sizeof *self);
}

static const struct oriel_sink_operations sort_operations = {push_sort, finish_sort, close_sort,
                                                             NULL};

static enum oriel_status open_parts(struct sort *self, const struct oriel_plan *plan,
                                    struct oriel_error *error) {
    ORIEL_TRY(oriel_positioned_init(&self->positioned, self->runtime, plan->schema, error));
    const uint32_t item_count = plan->sort.item_count;
    struct oriel_sort_item *items =
        oriel_arena_allocate_zeroed(&self->positioned.arena, (size_t)item_count + 1, sizeof *items);
    if (!items)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < item_count; i++)
        items[i] = plan->sort.items[i];
    items[item_count].column = plan->schema.field_count;
    return oriel_sorter_open(self->runtime, self->positioned.schema, plan->schema.field_count,
                             items, item_count + 1, plan->sort.limit, &self->sorter, error);
}

enum oriel_status oriel_sort_open(const struct oriel_plan *plan,
                                  const struct oriel_runtime *runtime, struct oriel_sink **out,
                                  struct oriel_error *error) {
    struct sort *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    if (!self)
        return oriel_error_memory(error);
    self->sink.operations = &sort_operations;
    self->runtime = runtime;
    const enum oriel_status status = open_parts(self, plan, error);
    if (status != ORIEL_OK) {
        close_sort(&self->sink);
        return status;
    }
    *out = &self->sink;
    return ORIEL_OK;
}
