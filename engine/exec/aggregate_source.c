/*
 * The result of an aggregation as a source: claims are handed out under a lock, reading is
 * parallel.
 */
#include "engine/exec/aggregate_radix.h"

static enum oriel_status start(struct oriel_source *base, unsigned worker_count,
                               struct oriel_error *error) {
    struct aggregate_source *source = (struct aggregate_source *)base;
    const struct aggregate_layout *layout = source->merged->layout;
    source->readers = oriel_memory_allocate_zeroed(layout->runtime->memory, worker_count,
                                                   sizeof *source->readers);
    if (!source->readers)
        return oriel_error_memory(error);
    source->reader_count = worker_count;
    for (unsigned w = 0; w < worker_count; w++) {
        source->readers[w].source = source;
        oriel_arena_init(&source->readers[w].arena, layout->runtime->memory);
        aggregate_sum_init(&source->readers[w].sum, source->merged);
    }
    for (unsigned w = 0; w < worker_count; w++)
        ORIEL_TRY(aggregate_output_open(&source->readers[w].output, source->merged,
                                        source->shape->single_use, error));
    return ORIEL_OK;
}

static enum oriel_status claim(struct oriel_source *base, struct oriel_morsel *morsel,
                               struct oriel_error *error) {
    (void)error;
    struct aggregate_source *source = (struct aggregate_source *)base;
    *morsel = (struct oriel_morsel){0};
    pthread_mutex_lock(&source->lock);
    const enum oriel_status status = source->shape->claim(source, morsel);
    if (status == ORIEL_OK)
        morsel->number = source->next_number++;
    pthread_mutex_unlock(&source->lock);
    return status;
}

static enum oriel_status read_morsel(struct oriel_source *base, unsigned worker,
                                     const struct oriel_morsel *morsel, oriel_push *push,
                                     void *context, struct oriel_error *error) {
    struct aggregate_source *source = (struct aggregate_source *)base;
    struct aggregate_reader *reader = &source->readers[worker];
    oriel_arena_reset(&reader->arena);
    aggregate_output_begin(&reader->output, morsel, push, context);
    ORIEL_TRY(source->shape->read(reader, morsel, error));
    return aggregate_output_flush(&reader->output, error);
}

static void close_source(struct oriel_source *base) {
    struct aggregate_source *source = (struct aggregate_source *)base;
    struct oriel_memory *memory = source->merged->layout->runtime->memory;
    for (unsigned w = 0; w < source->reader_count; w++) {
        aggregate_output_close(&source->readers[w].output);
        aggregate_sum_deinit(&source->readers[w].sum);
        aggregate_keyed_slice_deinit(&source->readers[w].keyed);
        oriel_arena_deinit(&source->readers[w].arena);
    }
    oriel_memory_release(memory, source->readers, source->reader_count * sizeof *source->readers);
    oriel_memory_release(memory, source->groups_before,
                         (source->merged->slice_count + 1u) * sizeof(uint64_t));
    aggregate_sessions_release(source);
    pthread_mutex_destroy(&source->lock);
    oriel_memory_release(memory, source, sizeof *source);
}

static const struct oriel_source_operations operations = {
    .start = start, .claim = claim, .read = read_morsel, .close = close_source};

uint64_t aggregate_groups_between(const struct aggregate_source *source, int64_t begin_ms,
                                  int64_t end_ms) {
    return source->groups_before[aggregate_slice_from(source->merged, end_ms)] -
           source->groups_before[aggregate_slice_from(source->merged, begin_ms)];
}

static enum oriel_status count_groups(struct aggregate_source *source, struct oriel_error *error) {
    const struct aggregate_merged *merged = source->merged;
    source->groups_before = oriel_memory_allocate_zeroed(
        merged->layout->runtime->memory, merged->slice_count + 1u, sizeof(uint64_t));
    if (!source->groups_before)
        return oriel_error_memory(error);
    for (uint32_t s = 0; s < merged->slice_count; s++)
        source->groups_before[s + 1] = source->groups_before[s] + aggregate_slice_bound(merged, s);
    return ORIEL_OK;
}

static const struct aggregate_shape *shape_of(const struct aggregate_layout *layout) {
    if (!layout->window || layout->copies)
        return &aggregate_shape_slices;
    switch (layout->window->kind) {
    case ORIEL_WINDOW_TUMBLE: break;
    case ORIEL_WINDOW_HOP: return &aggregate_shape_hop;
    case ORIEL_WINDOW_CUMULATE: return &aggregate_shape_cumulate;
    case ORIEL_WINDOW_SESSION: return &aggregate_shape_session;
    }
    return &aggregate_shape_slices;
}

enum oriel_status aggregate_source_open(struct aggregate_merged *merged, struct oriel_source **out,
                                        struct oriel_error *error) {
    struct oriel_memory *memory = merged->layout->runtime->memory;
    struct aggregate_source *source = oriel_memory_allocate_zeroed(memory, 1, sizeof *source);
    if (!source)
        return oriel_error_memory(error);
    if (pthread_mutex_init(&source->lock, NULL) != 0) {
        oriel_memory_release(memory, source, sizeof *source);
        return oriel_error_memory(error);
    }
    source->base.operations = &operations;
    source->base.schema = merged->layout->plan->schema;
    source->merged = merged;
    source->shape = shape_of(merged->layout);
    enum oriel_status status = ORIEL_OK;
    if (source->shape == &aggregate_shape_session)
        status = aggregate_sessions_prepare(source, error);
    else if (source->shape != &aggregate_shape_slices)
        status = count_groups(source, error);
    if (status != ORIEL_OK) {
        close_source(&source->base);
        return status;
    }
    *out = &source->base;
    return ORIEL_OK;
}
