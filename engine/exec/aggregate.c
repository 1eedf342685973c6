/*
 * Aggregation: the sink of GROUP BY and DISTINCT, with the window assigned here or none. Workers
 * add rows to groups of their own; finish merges them and gives the result as a source.
 */
#include <stdio.h>
#include <string.h>

#include "engine/exec/aggregate_part.h"
#include "engine/exec/aggregate_radix.h"
#include "engine/exec/aggregate_spill.h"
#include "engine/exec/row_time.h"
#include "kernels/kernels.h"

struct aggregate {
    struct oriel_sink base;
    struct aggregate_layout layout;
    unsigned store_count;
    struct aggregate_store *stores; /* one a worker */
    struct aggregate_merged merged;
    struct aggregate_spill spill;
    struct oriel_sink *sort; /* of the spilled result */
};

/* Which rows take part: those with a time. NULL: all. */
static enum oriel_status check_times(struct aggregate_store *store, const struct oriel_batch *batch,
                                     const uint64_t **rows, struct oriel_error *error) {
    const struct aggregate_layout *layout = store->layout;
    const struct oriel_column *time = &batch->columns[layout->window->time_column];
    *rows = NULL;
    if (!time->valid)
        return ORIEL_OK;
    const size_t present = layout->runtime->kernels->count_bits(time->valid, batch->row_count);
    *rows = time->valid;
    if (present == batch->row_count)
        *rows = NULL;
    else if (!layout->window->drop_null_time)
        return oriel_error_at(error, ORIEL_DATA, layout->plan->position,
                              "RowTime field should not be null, please convert it to a "
                              "non-null long value.");
    else if (layout->runtime->progress)
        atomic_fetch_add(&layout->runtime->progress->rows_without_time, batch->row_count - present);
    return ORIEL_OK;
}

static enum oriel_status map_keys(struct aggregate_store *store, const struct oriel_batch *batch,
                                  uint32_t set, struct oriel_error *error) {
    const struct aggregate_layout *layout = store->layout;
    if (!aggregate_has_keys(layout))
        return ORIEL_OK;
    for (uint32_t k = 0; k < layout->key_column_count; k++) {
        store->key_columns[k] = batch->columns[layout->key_inputs[k]];
        if (!(layout->sets[set].keys >> layout->key_positions[k] & 1))
            store->key_columns[k].valid = store->no_rows;
    }
    if (layout->set_count > 1) {
        for (size_t i = 0; i < batch->row_count; i++)
            store->set_ordinals[i] = (int32_t)set;
        store->key_columns[layout->key_column_count] =
            (struct oriel_column){.type = layout->key_schema.fields[layout->key_column_count].type,
                                  .values = store->set_ordinals};
    }
    if (store->loose_rounds)
        return aggregate_radix_keep_keys(store, batch->row_count, error);
    return oriel_key_table_map(&store->keys, store->key_columns, batch->row_count, store->key_ids,
                               error);
}

static const int64_t *row_times(struct aggregate_store *store, const struct oriel_batch *batch) {
    const struct aggregate_layout *layout = store->layout;
    return oriel_row_time_local(layout->runtime, &batch->columns[layout->window->time_column],
                                batch->row_count, store->times);
}

static enum oriel_status find_groups(struct aggregate_store *store, const struct oriel_batch *batch,
                                     const uint64_t *rows, struct oriel_error *error) {
    const struct aggregate_layout *layout = store->layout;
    if (!layout->window)
        return aggregate_store_find_slices(store, NULL, NULL, batch->row_count, error);
    const int64_t *times = row_times(store, batch);
    if (aggregate_is_session(layout))
        return aggregate_store_find_sessions(store, times, rows, batch->row_count, error);
    return aggregate_store_find_slices(store, times, rows, batch->row_count, error);
}

/* The rows that an aggregate takes: with a time, passing FILTER, argument not NULL where that
 * counts. Returns NULL for all rows. */
static const uint64_t *select_rows(struct aggregate_store *store,
                                   const struct oriel_aggregate_call *call,
                                   const struct oriel_batch *batch, const uint64_t *rows) {
    const struct oriel_kernels *kernels = store->layout->runtime->kernels;
    const uint64_t *parts[3] = {rows, NULL, NULL};
    size_t part_count = rows ? 1 : 0;
    if (call->argument_count && (call->function->flags & ORIEL_AGGREGATE_SKIPS_NULLS) &&
        batch->columns[call->arguments[0]].valid)
        parts[part_count++] = batch->columns[call->arguments[0]].valid;
    if (call->filter < 0 && part_count < 2)
        return parts[0];
    const size_t words = oriel_bits_word_count(batch->row_count);
    if (call->filter >= 0) {
        const struct oriel_column *filter = &batch->columns[call->filter];
        kernels->bytes_to_bits(filter->values, filter->valid, batch->row_count, store->rows);
    } else {
        memset(store->rows, 0xFF, words * sizeof(uint64_t));
    }
    for (size_t p = 0; p < part_count; p++) {
        for (size_t w = 0; w < words; w++)
            store->rows[w] &= parts[p][w];
    }
    return store->rows;
}

enum { ARGUMENTS_MAX = 8 };

static enum oriel_status update_states(struct aggregate_store *store,
                                       const struct oriel_batch *batch, const uint64_t *rows,
                                       struct oriel_error *error) {
    const struct aggregate_layout *layout = store->layout;
    const struct oriel_plan *plan = layout->plan;
    struct oriel_aggregation aggregation = {layout->runtime, &store->arena, error};
    for (uint32_t a = 0; a < plan->aggregate.aggregate_count; a++) {
        const struct oriel_aggregate_call *call = &plan->aggregate.aggregates[a];
        struct oriel_column arguments[ARGUMENTS_MAX];
        if (layout->bounds[a] != AGGREGATE_NO_BOUND)
            continue;
        for (uint32_t i = 0; i < call->argument_count && i < ARGUMENTS_MAX; i++)
            arguments[i] = batch->columns[call->arguments[i]];
        ORIEL_TRY(call->operations->update(call, &aggregation, store->states + layout->offsets[a],
                                           layout->stride_bytes, store->groups, arguments,
                                           select_rows(store, call, batch, rows), batch->row_count,
                                           plan->aggregate.first_row + batch->first_row));
    }
    return ORIEL_OK;
}

/* Adds the rows to each of their windows. */
static enum oriel_status add_copies(struct aggregate_store *store, const struct oriel_batch *batch,
                                    const uint64_t *rows, struct oriel_error *error) {
    const size_t row_count = batch->row_count;
    ORIEL_TRY(aggregate_copies_begin(store, row_times(store, batch), row_count, error));
    for (int64_t number = 0; aggregate_copies_next(store, rows, row_count, number); number++) {
        ORIEL_TRY(aggregate_store_find_slices(store, NULL, store->window_rows, row_count, error));
        ORIEL_TRY(update_states(store, batch, store->window_rows, error));
        ORIEL_TRY(oriel_runtime_check(store->layout->runtime, error));
    }
    return ORIEL_OK;
}

static enum oriel_status push(struct oriel_sink *base, unsigned worker,
                              const struct oriel_batch *batch, struct oriel_error *error) {
    struct aggregate *aggregate = (struct aggregate *)base;
    struct aggregate_store *store = &aggregate->stores[worker];
    const struct aggregate_layout *layout = &aggregate->layout;
    const uint64_t *rows = NULL;
    if (batch->row_count == 0)
        return ORIEL_OK;
    ORIEL_TRY(oriel_runtime_check(layout->runtime, error));
    if (!layout->plan->aggregate.gives_states &&
        aggregate_spill_wanted(store, batch->row_count * layout->set_count))
        ORIEL_TRY(aggregate_spill_store(&aggregate->spill, worker, store, error));
    if (layout->plan->aggregate.states)
        return aggregate_part_add(store, batch, error);
    if (layout->window)
        ORIEL_TRY(check_times(store, batch, &rows, error));
    ORIEL_TRY(aggregate_radix_prepare(store, batch->row_count, error));
    for (uint32_t set = 0; set < layout->set_count; set++) {
        ORIEL_TRY(map_keys(store, batch, set, error));
        if (layout->copies) {
            ORIEL_TRY(add_copies(store, batch, rows, error));
            continue;
        }
        ORIEL_TRY(find_groups(store, batch, rows, error));
        if (store->total_count) /* else no row has a time */
            ORIEL_TRY(update_states(store, batch, rows, error));
    }
    return ORIEL_OK;
}

static enum oriel_status finish(struct oriel_sink *base, struct oriel_source **out,
                                struct oriel_error *error) {
    struct aggregate *aggregate = (struct aggregate *)base;
    if (aggregate_spilled(&aggregate->spill)) {
        for (unsigned s = 0; s < aggregate->store_count; s++)
            ORIEL_TRY(aggregate_spill_store(&aggregate->spill, s, &aggregate->stores[s], error));
        return aggregate_spill_finish(&aggregate->spill, out, &aggregate->sort, error);
    }
    bool keyed = false; /* one is, so all must be */
    for (unsigned s = 0; s < aggregate->store_count; s++)
        keyed = keyed || aggregate->stores[s].keyed;
    for (unsigned s = 0; s < aggregate->store_count; s++) {
        if (keyed && !aggregate->stores[s].keyed)
            ORIEL_TRY(aggregate_radix_begin(&aggregate->stores[s], error));
        ORIEL_TRY(aggregate_store_finish(&aggregate->stores[s], error));
    }
    ORIEL_TRY(aggregate_merge(&aggregate->layout, aggregate->stores, aggregate->store_count,
                              &aggregate->merged, error));
    return aggregate->layout.plan->aggregate.gives_states
               ? aggregate_part_source(&aggregate->merged, out, error)
               : aggregate_source_open(&aggregate->merged, out, error);
}

static void close_sink(struct oriel_sink *base) {
    struct aggregate *aggregate = (struct aggregate *)base;
    struct oriel_memory *memory = aggregate->layout.runtime->memory;
    if (aggregate->sort)
        aggregate->sort->operations->close(aggregate->sort);
    aggregate_spill_deinit(&aggregate->spill);
    aggregate_merged_deinit(&aggregate->merged);
    for (unsigned s = 0; aggregate->stores && s < aggregate->store_count; s++)
        aggregate_store_close(&aggregate->stores[s]);
    oriel_memory_release(memory, aggregate->stores,
                         aggregate->store_count * sizeof *aggregate->stores);
    aggregate_layout_deinit(&aggregate->layout);
    oriel_memory_release(memory, aggregate, sizeof *aggregate);
}

static void report(const struct oriel_sink *base, char *text, size_t text_bytes) {
    const struct aggregate *aggregate = (const struct aggregate *)base;
    const struct aggregate_merged *merged = &aggregate->merged;
    const struct aggregate_layout *layout = &aggregate->layout;
    const bool is_session = layout->window && layout->window->kind == ORIEL_WINDOW_SESSION;
    int length;
    if (aggregate_spilled(&aggregate->spill))
        length = snprintf(text, text_bytes, "partitions by hash in temporary files");
    else if (is_session)
        length = snprintf(text, text_bytes, "%s, %u keys", oriel_strategy_name(layout->session),
                          merged->key_count);
    else if (merged->keyed)
        length = snprintf(text, text_bytes, "radix");
    else
        length = snprintf(text, text_bytes, "%s, %u keys",
                          aggregate_merged_hashed(merged) ? "hash" : "dense", merged->key_count);
    if (layout->window && !is_session && !aggregate_spilled(&aggregate->spill) && length > 0 &&
        (size_t)length < text_bytes)
        snprintf(text + length, text_bytes - (size_t)length, ", %u slices", merged->slice_count);
}

static const struct oriel_sink_operations operations = {
    .push = push, .finish = finish, .close = close_sink, .report = report};

static enum oriel_status open_stores(struct aggregate *aggregate, struct oriel_error *error) {
    const struct oriel_runtime *runtime = aggregate->layout.runtime;
    aggregate->store_count = runtime->thread_count;
    aggregate->stores = oriel_memory_allocate_zeroed(runtime->memory, aggregate->store_count,
                                                     sizeof *aggregate->stores);
    if (!aggregate->stores)
        return oriel_error_memory(error);
    for (unsigned s = 0; s < aggregate->store_count; s++)
        ORIEL_TRY(aggregate_store_open(&aggregate->stores[s], &aggregate->layout, error));
    return aggregate_spill_init(&aggregate->spill, &aggregate->layout, aggregate->store_count,
                                error);
}

enum oriel_status oriel_aggregate_open(const struct oriel_plan *plan,
                                       const struct oriel_runtime *runtime, struct oriel_sink **out,
                                       struct oriel_error *error) {
    struct aggregate *aggregate =
        oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *aggregate);
    if (!aggregate)
        return oriel_error_memory(error);
    aggregate->base.operations = &operations;
    enum oriel_status status = aggregate_layout_init(&aggregate->layout, plan, runtime, error);
    if (status == ORIEL_OK)
        status = open_stores(aggregate, error);
    if (status != ORIEL_OK) {
        close_sink(&aggregate->base);
        return status;
    }
    *out = &aggregate->base;
    return ORIEL_OK;
}
