/*
 * HOP windows from slices. A morsel is a run of windows that start within one window's size of each
 * other. The groups of its first window are listed key by key and summed from each to the last; the
 * slices behind that window are added to running sums as the windows reach them. So a window is one
 * addition for each of its keys, whatever the overlap (the block decomposition of van Herk, 1992,
 * and Gil and Werman, 1993, which needs no inverse, with blocks of what is there).
 *
 * States that hold many values make those sums too large: then each window is put together from the
 * groups of its slices.
 */
#include "engine/exec/aggregate_hop.h"

#include <string.h>

#include "engine/base/civil.h"

enum {
    MORSEL_ROWS = 65536,
    POINTED_BYTES_MAX = 64 << 20, /* of what the sums of a morsel point to */
};

/* The first window start at or after `time_ms`. */
static int64_t window_from(const struct oriel_window *window, int64_t time_ms) {
    const int64_t offset_ms = oriel_floor_mod(window->offset_ms, window->slide_ms);
    const int64_t past = oriel_floor_mod(time_ms - offset_ms, window->slide_ms);
    return past ? time_ms + (window->slide_ms - past) : time_ms;
}

/* The first start of a window, at or after `start_ms`, that has a slice; false: there is none. */
static bool next_window(const struct aggregate_merged *merged, int64_t *start_ms) {
    const struct oriel_window *window = merged->layout->window;
    const uint32_t next = aggregate_slice_from(merged, *start_ms);
    if (next == merged->slice_count)
        return false;
    const int64_t useful =
        merged->slice_starts_ms[next] - (window->size_ms - merged->layout->slice_ms);
    if (useful > *start_ms)
        *start_ms = useful;
    *start_ms = window_from(window, *start_ms);
    return true;
}

static enum oriel_status claim_hop(struct aggregate_source *source, struct oriel_morsel *morsel) {
    const struct aggregate_merged *merged = source->merged;
    const struct oriel_window *window = merged->layout->window;
    if (merged->slice_count == 0 || merged->key_count == 0)
        return ORIEL_DONE;
    if (!source->started) {
        source->started = true;
        source->next_start_ms =
            merged->slice_starts_ms[0] - (window->size_ms - merged->layout->slice_ms);
    }
    if (!next_window(merged, &source->next_start_ms))
        return ORIEL_DONE;
    /* No fewer rows than there are groups to list first. */
    const int64_t start_ms = source->next_start_ms;
    const uint64_t groups =
        aggregate_groups_between(source, start_ms, start_ms + window->size_ms) + 1;
    const uint64_t rows = groups > MORSEL_ROWS ? groups : MORSEL_ROWS;
    const uint64_t width_rows = groups < merged->key_count ? groups : merged->key_count;
    int64_t windows = (int64_t)(rows / width_rows) + 1;
    const int64_t most = window->size_ms / window->slide_ms;
    if (windows > most)
        windows = most ? most : 1;
    morsel->begin = (uint64_t)start_ms;
    source->next_start_ms += windows * window->slide_ms;
    morsel->end = (uint64_t)source->next_start_ms;
    return ORIEL_OK;
}

/* Lists the groups of slices [first, end): copies of their states, which may share what they point
 * to (`bytes`) or not. */
static enum oriel_status list_groups(struct aggregate_reader *reader, uint32_t first, uint32_t end,
                                     bool bytes, struct hop_groups *groups,
                                     struct oriel_error *error) {
    const struct aggregate_merged *merged = reader->source->merged;
    const size_t stride = merged->layout->stride_bytes;
    const uint64_t *before = reader->source->groups_before;
    ORIEL_TRY(hop_groups_reserve(reader, before[end] - before[first], groups, error));
    for (uint32_t s = first; s < end && (bytes || !reader->states_too_large); s++) {
        const struct aggregate_sum *sum = &reader->sum;
        ORIEL_TRY(aggregate_sum_slice(&reader->sum, s, 0, merged->key_count, false, &reader->arena,
                                      error));
        for (size_t i = 0; i < sum->count; i++) {
            const size_t at = groups->count++;
            char *into = groups->states + at * stride;
            groups->keys[at] = sum->ranks[i];
            groups->order[at] = (uint32_t)at;
            groups->slices[at] = s;
            if (bytes) {
                memcpy(into, sum->states[i], stride);
                continue;
            }
            if (!merged->layout->plain_states)
                memset(into, 0, stride);
            ORIEL_TRY(aggregate_merge_states(merged->layout, &reader->arena, false, true, into,
                                             sum->states[i], error));
        }
        if (!bytes && !merged->layout->plain_states)
            reader->states_too_large = reader->arena.total_bytes > POINTED_BYTES_MAX ||
                                       2 * reader->arena.total_bytes >
                                           oriel_memory_available(merged->layout->runtime->memory);
    }
    hop_groups_sort(reader, groups);
    return ORIEL_OK;
}

/* states[i] += states[i + 1] from the last group of each key to its first. */
static enum oriel_status sum_suffixes(struct aggregate_reader *reader, struct hop_groups *groups,
                                      struct oriel_error *error) {
    const struct aggregate_layout *layout = reader->source->merged->layout;
    const size_t stride = layout->stride_bytes;
    for (size_t i = groups->count; i-- > 1;) {
        if (groups->keys[i] == groups->keys[i - 1])
            ORIEL_TRY(aggregate_merge_states(layout, &reader->arena, false, false,
                                             groups->states + groups->order[i - 1] * stride,
                                             groups->states + groups->order[i] * stride, error));
        reader->states_too_large =
            !layout->plain_states && reader->arena.total_bytes > POINTED_BYTES_MAX;
        if (reader->states_too_large)
            break;
    }
    return ORIEL_OK;
}

/* Puts out the window of all keys that have something in it; forgets the others. */
static enum oriel_status put_window(struct aggregate_reader *reader,
                                    const struct hop_groups *groups, struct hop_keys *keys,
                                    int64_t start_ms, struct oriel_error *error) {
    const struct aggregate_merged *merged = reader->source->merged;
    const struct aggregate_layout *layout = merged->layout;
    const size_t stride = layout->stride_bytes;
    size_t kept = 0;
    for (size_t k = 0; k < keys->count; k++) {
        struct hop_key key = keys->items[k];
        while (key.begin < key.end &&
               merged->slice_starts_ms[groups->slices[groups->order[key.begin]]] < start_ms)
            key.begin++;
        if (key.begin == key.end && !key.running)
            continue;
        char *states;
        const bool listed = key.begin < key.end;
        const char *running = key.running ? keys->states + (key.running - 1) * stride : NULL;
        const char *first = listed ? groups->states + groups->order[key.begin] * stride : running;
        ORIEL_TRY(aggregate_output_add_copy(&reader->output, key.rank, start_ms,
                                            start_ms + layout->window->size_ms, first, &states,
                                            error));
        if (listed && running)
            ORIEL_TRY(aggregate_merge_states(layout, &reader->output.arena, false, false, states,
                                             running, error));
        keys->items[kept++] = key;
    }
    keys->count = kept;
    return oriel_runtime_check(layout->runtime, error);
}

/* The windows of a morsel; nothing is put out when the states are too large. */
static enum oriel_status read_run(struct aggregate_reader *reader, int64_t begin_ms, int64_t end_ms,
                                  struct oriel_error *error) {
    const struct aggregate_merged *merged = reader->source->merged;
    const struct oriel_window *window = merged->layout->window;
    const uint32_t first = aggregate_slice_from(merged, begin_ms);
    uint32_t next = aggregate_slice_from(merged, begin_ms + window->size_ms);
    struct hop_groups groups = {0};
    struct hop_keys keys = {0};
    ORIEL_TRY(list_groups(reader, first, next, false, &groups, error));
    if (!reader->states_too_large)
        ORIEL_TRY(sum_suffixes(reader, &groups, error));
    if (reader->states_too_large)
        return ORIEL_OK;
    ORIEL_TRY(hop_keys_begin(reader, &groups, &keys, error));
    for (int64_t start_ms = begin_ms; start_ms < end_ms; start_ms += window->slide_ms) {
        for (; next < merged->slice_count &&
               merged->slice_starts_ms[next] < start_ms + window->size_ms;
             next++) {
            ORIEL_TRY(aggregate_sum_slice(&reader->sum, next, 0, merged->key_count, false,
                                          &reader->arena, error));
            ORIEL_TRY(hop_keys_add(reader, &keys, error));
        }
        ORIEL_TRY(put_window(reader, &groups, &keys, start_ms, error));
        if (keys.count == 0) { /* windows without a row */
            int64_t useful_ms = start_ms + window->slide_ms;
            if (!next_window(merged, &useful_ms))
                break;
            start_ms = useful_ms - window->slide_ms;
        }
    }
    return ORIEL_OK;
}

/* One window from the groups of its slices. */
static enum oriel_status read_window(struct aggregate_reader *reader, int64_t start_ms,
                                     struct oriel_error *error) {
    const struct aggregate_merged *merged = reader->source->merged;
    const struct aggregate_layout *layout = merged->layout;
    const int64_t end_ms = start_ms + layout->window->size_ms;
    const uint32_t first = aggregate_slice_from(merged, start_ms);
    struct hop_groups groups = {0};
    ORIEL_TRY(aggregate_output_flush(&reader->output, error));
    oriel_arena_reset(&reader->arena);
    ORIEL_TRY(
        list_groups(reader, first, aggregate_slice_from(merged, end_ms), true, &groups, error));
    char *states = NULL;
    for (size_t i = 0; i < groups.count; i++) {
        const bool fresh = i == 0 || groups.keys[i] != groups.keys[i - 1];
        if (fresh)
            ORIEL_TRY(aggregate_output_add(&reader->output, (uint32_t)groups.keys[i], start_ms,
                                           end_ms, &states, error));
        ORIEL_TRY(aggregate_merge_states(layout, &reader->output.arena, false, fresh, states,
                                         groups.states + groups.order[i] * layout->stride_bytes,
                                         error));
    }
    return oriel_runtime_check(layout->runtime, error);
}

static enum oriel_status read_hop(struct aggregate_reader *reader,
                                  const struct oriel_morsel *morsel, struct oriel_error *error) {
    const struct aggregate_merged *merged = reader->source->merged;
    const int64_t begin_ms = (int64_t)morsel->begin, end_ms = (int64_t)morsel->end;
    /* long results are much work anyway, and those of many windows much at once */
    if (!merged->layout->long_results && !reader->states_too_large)
        ORIEL_TRY(read_run(reader, begin_ms, end_ms, error));
    if (!merged->layout->long_results && !reader->states_too_large)
        return ORIEL_OK;
    reader->states_too_large = true;
    for (int64_t start_ms = begin_ms; next_window(merged, &start_ms) && start_ms < end_ms;
         start_ms += merged->layout->window->slide_ms)
        ORIEL_TRY(read_window(reader, start_ms, error));
    return ORIEL_OK;
}

const struct aggregate_shape aggregate_shape_hop = {
    .claim = claim_hop, .read = read_hop, .single_use = false};
