/*
 * From merged states to result batches: keys by their ids, window columns, finished aggregates.
 */
#include "engine/exec/aggregate_output.h"

#include <string.h>

#include "engine/exec/window_rows.h"
#include "kernels/kernels.h"

enum {
    FIRST_ROW_SHIFT = 36,
    LONG_ROWS_FIRST = 16, /* of a batch whose results hold all values of their groups */
};

static struct oriel_memory *memory_of(const struct aggregate_output *output) {
    return output->merged->layout->runtime->memory;
}

enum oriel_status aggregate_output_open(struct aggregate_output *output,
                                        const struct aggregate_merged *merged, bool single_use,
                                        struct oriel_error *error) {
    const struct aggregate_layout *layout = merged->layout;
    *output = (struct aggregate_output){
        .merged = merged, .single_use = single_use, .capacity = layout->runtime->batch_rows};
    output->row_limit = output->capacity;
    if (layout->long_results && output->row_limit > LONG_ROWS_FIRST)
        output->row_limit = LONG_ROWS_FIRST;
    oriel_arena_init(&output->arena, layout->runtime->memory);
    ORIEL_TRY(oriel_column_buffers_init(&output->buffers, layout->runtime->memory,
                                        &layout->plan->schema, output->capacity, error));
    struct oriel_memory *memory = layout->runtime->memory;
    output->columns =
        oriel_memory_allocate_zeroed(memory, output->buffers.column_count, sizeof *output->columns);
    output->states = oriel_memory_allocate(memory, output->capacity * layout->stride_bytes);
    output->keys = oriel_memory_allocate(memory, output->capacity * sizeof(uint32_t));
    output->starts_ms = oriel_memory_allocate(memory, output->capacity * sizeof(int64_t));
    output->ends_ms = oriel_memory_allocate(memory, output->capacity * sizeof(int64_t));
    if (!output->columns || !output->states || !output->keys || !output->starts_ms ||
        !output->ends_ms)
        return oriel_error_memory(error);
    return ORIEL_OK;
}

void aggregate_output_close(struct aggregate_output *output) {
    if (!output->merged)
        return;
    struct oriel_memory *memory = memory_of(output);
    const size_t capacity = output->capacity;
    oriel_memory_release(memory, output->columns,
                         output->buffers.column_count * sizeof *output->columns);
    oriel_memory_release(memory, output->states, capacity * output->merged->layout->stride_bytes);
    oriel_memory_release(memory, output->keys, capacity * sizeof(uint32_t));
    oriel_memory_release(memory, output->starts_ms, capacity * sizeof(int64_t));
    oriel_memory_release(memory, output->ends_ms, capacity * sizeof(int64_t));
    oriel_column_buffers_deinit(&output->buffers);
    oriel_arena_deinit(&output->arena);
    *output = (struct aggregate_output){0};
}

static void start_batch(struct aggregate_output *output) {
    for (uint32_t c = 0; c < output->buffers.column_count; c++)
        memset(output->buffers.columns[c].valid, 0xFF,
               oriel_bits_word_count(output->capacity) * sizeof(uint64_t));
    output->count = 0;
    output->keyed_count = 0;
}

void aggregate_output_begin(struct aggregate_output *output, const struct oriel_morsel *morsel,
                            oriel_push *push, void *push_context) {
    start_batch(output);
    output->first_row = morsel->number << FIRST_ROW_SHIFT;
    output->push = push;
    output->push_context = push_context;
}

enum oriel_status aggregate_output_add_all(struct aggregate_output *output, const uint32_t *ranks,
                                           const char *const *states, size_t count,
                                           int64_t start_ms, int64_t end_ms,
                                           struct oriel_error *error) {
    const struct aggregate_merged *merged = output->merged;
    const size_t stride = merged->layout->stride_bytes;
    while (count) {
        if (output->count == output->row_limit)
            ORIEL_TRY(aggregate_output_flush(output, error));
        const size_t room = aggregate_output_room(output), part = count < room ? count : room;
        const size_t first = output->count;
        char *to = output->states + first * stride;
        for (size_t i = 0; i < part; i++) {
            for (size_t at = 0; at < stride; at += 16, to += 16) /* a call costs more */
                memcpy(to, states[i] + at, 16);
            output->starts_ms[first + i] = start_ms;
            output->ends_ms[first + i] = end_ms;
            output->keys[first + i] = merged->keyed ? ranks[i] : merged->key_of_rank[ranks[i]];
        }
        output->count += part;
        ranks += part;
        states += part;
        count -= part;
    }
    return ORIEL_OK;
}

/* The values of rows `first` on. */
static void gather_values(const struct aggregate_output *output, const struct oriel_column *from,
                          size_t first, struct oriel_column *to) {
    const struct oriel_kernels *kernels = output->merged->layout->runtime->kernels;
    const uint32_t *keys = output->keys + first;
    const size_t count = output->count - first;
    const size_t size = oriel_physical_size(oriel_type_physical(&from->type));
    void *values = (char *)to->values + first * size;
    switch (size) {
    case 1: kernels->gather_8(from->values, keys, count, values); break;
    case 2: kernels->gather_16(from->values, keys, count, values); break;
    case 4: kernels->gather_32(from->values, keys, count, values); break;
    case 8: kernels->gather_64(from->values, keys, count, values); break;
    default: kernels->gather_128(from->values, keys, count, values); break;
    }
}

void aggregate_output_copy_keys(struct aggregate_output *output,
                                const struct oriel_column *columns) {
    const struct aggregate_layout *layout = output->merged->layout;
    for (uint32_t k = 0; k < layout->key_column_count; k++) {
        struct oriel_column *to = &output->buffers.columns[layout->key_positions[k]];
        gather_values(output, &columns[k], output->keyed_count, to);
        for (size_t row = output->keyed_count; columns[k].valid && row < output->count; row++) {
            if (oriel_column_is_null(&columns[k], output->keys[row]))
                oriel_bits_clear(to->valid, row);
        }
    }
    output->keyed_count = output->count;
}

static void write_bounds(const struct aggregate_output *output, enum aggregate_bound bound,
                         int64_t *values) {
    const int64_t gap_ms = output->merged->layout->window->size_ms;
    if (bound == AGGREGATE_FIRST_TIME)
        memcpy(values, output->starts_ms, output->count * sizeof *values);
    for (size_t row = 0; bound == AGGREGATE_LAST_TIME && row < output->count; row++)
        values[row] = output->ends_ms[row] - gap_ms;
}

static void write_keys(struct aggregate_output *output) {
    const struct aggregate_layout *layout = output->merged->layout;
    const struct oriel_column *from;
    uint32_t column = 0;
    for (uint32_t k = 0; k < layout->plan->aggregate.key_count; k++) {
        struct oriel_column *to = &output->buffers.columns[k];
        switch (layout->plan->aggregate.keys[k].kind) {
        case ORIEL_KEY_COLUMN:
            if (output->merged->keyed)
                break; /* copied already */
            from = &output->merged->keys->keys.columns[column++];
            gather_values(output, from, 0, to);
            if (from->valid)
                layout->runtime->kernels->gather_bits(from->valid, output->keys, output->count,
                                                      to->valid);
            break;
        case ORIEL_KEY_WINDOW_START:
            memcpy(to->values, output->starts_ms, output->count * sizeof(int64_t));
            break;
        case ORIEL_KEY_WINDOW_END:
            memcpy(to->values, output->ends_ms, output->count * sizeof(int64_t));
            break;
        case ORIEL_KEY_WINDOW_TIME:
            oriel_window_time_fill(layout->runtime, &to->type, output->ends_ms, output->count,
                                   to->values);
            break;
        }
    }
}

static void write_grouping_ids(struct aggregate_output *output, struct oriel_column *to) {
    const struct aggregate_layout *layout = output->merged->layout;
    const int32_t *ordinals = NULL;
    if (layout->set_count > 1)
        ordinals = output->merged->keys->keys.columns[layout->key_column_count].values;
    for (size_t row = 0; row < output->count; row++)
        ((int64_t *)to->values)[row] =
            layout->sets[ordinals ? ordinals[output->keys[row]] : 0].grouping_id;
}

enum oriel_status aggregate_output_flush(struct aggregate_output *output,
                                         struct oriel_error *error) {
    const struct aggregate_layout *layout = output->merged->layout;
    const struct oriel_plan *plan = layout->plan;
    if (output->count == 0)
        return ORIEL_OK;
    write_keys(output);
    struct oriel_aggregation aggregation = {layout->runtime, &output->arena, error};
    for (uint32_t a = 0; a < plan->aggregate.aggregate_count; a++) {
        const struct oriel_aggregate_call *call = &plan->aggregate.aggregates[a];
        struct oriel_column *to = &output->buffers.columns[plan->aggregate.key_count + a];
        if (layout->bounds[a] != AGGREGATE_NO_BOUND)
            write_bounds(output, layout->bounds[a], to->values);
        else
            ORIEL_TRY(call->operations->finish(call, &aggregation,
                                               output->states + layout->offsets[a],
                                               layout->stride_bytes, output->count, to));
    }
    if (plan->aggregate.grouping_id)
        write_grouping_ids(output, &output->buffers.columns[output->buffers.column_count - 1]);
    for (uint32_t c = 0; c < output->buffers.column_count; c++) {
        struct oriel_column *column = &output->columns[c];
        *column = output->buffers.columns[c];
        if (layout->runtime->kernels->count_bits(column->valid, output->count) == output->count)
            column->valid = NULL;
    }
    const struct oriel_batch batch = {.row_count = output->count,
                                      .column_count = output->buffers.column_count,
                                      .columns = output->columns,
                                      .first_row = output->first_row};
    ORIEL_TRY(oriel_runtime_check(layout->runtime, error));
    ORIEL_TRY(output->push(output->push_context, &batch, error));
    output->first_row += output->count;
    start_batch(output);
    if (output->arena.total_bytes > AGGREGATE_LONG_BYTES_MAX && layout->long_results)
        output->row_limit = output->row_limit > 1 ? output->row_limit / 2 : 1;
    else if (output->row_limit <= output->capacity / 2)
        output->row_limit *= 2;
    oriel_arena_reset(&output->arena);
    return ORIEL_OK;
}

enum oriel_status aggregate_merge_each(const struct aggregate_layout *layout,
                                       struct oriel_arena *arena, char *into, const char *from,
                                       struct oriel_error *error) {
    struct oriel_aggregation aggregation = {layout->runtime, arena, error};
    for (uint32_t a = 0; a < layout->plan->aggregate.aggregate_count; a++) {
        const struct oriel_aggregate_call *call = &layout->plan->aggregate.aggregates[a];
        const size_t offset = layout->offsets[a];
        if (layout->bounds[a] != AGGREGATE_NO_BOUND)
            continue;
        ORIEL_TRY(call->operations->merge(call, &aggregation, into + offset, from + offset));
    }
    return ORIEL_OK;
}
