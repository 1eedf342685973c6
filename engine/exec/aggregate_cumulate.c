/*
 * CUMULATE windows from slices of one step: a running sum over the steps of a max-size window, put
 * out at every step for each key that has come so far. A morsel is a run of steps; it begins by
 * adding up the steps before it.
 */
#include "engine/exec/aggregate_source.h"

#include "engine/base/civil.h"

enum { MORSEL_ROWS = 65536, STEPS_MAX = 1 << 20 };

static int64_t window_start(const struct aggregate_layout *layout, int64_t time_ms) {
    const struct oriel_window *window = layout->window;
    const int64_t offset = oriel_floor_mod(window->offset_ms, window->size_ms);
    return time_ms - oriel_floor_mod(time_ms - offset, window->size_ms);
}

/* begin: the first slice of the window; end: the number of steps; state: the first step. */
static enum oriel_status claim_cumulate(struct aggregate_source *source,
                                        struct oriel_morsel *morsel) {
    const struct aggregate_merged *merged = source->merged;
    const struct aggregate_layout *layout = merged->layout;
    if (source->next_slice >= merged->slice_count || merged->key_count == 0)
        return ORIEL_DONE;
    const int64_t start_ms = window_start(layout, merged->slice_starts_ms[source->next_slice]);
    const int64_t step_count = layout->window->size_ms / layout->slice_ms;
    if (!source->started) { /* the steps before the first slice are empty */
        source->started = true;
        source->next_step =
            (merged->slice_starts_ms[source->next_slice] - start_ms) / layout->slice_ms;
    }
    /* No fewer rows than there are groups to add up before them. */
    uint64_t rows = aggregate_groups_between(source, start_ms, start_ms + layout->window->size_ms);
    if (rows < MORSEL_ROWS)
        rows = MORSEL_ROWS;
    int64_t steps = 1 + (int64_t)(rows / merged->key_count);
    if (steps > STEPS_MAX)
        steps = STEPS_MAX;
    if (steps > step_count - source->next_step)
        steps = step_count - source->next_step;
    morsel->begin = source->next_slice;
    morsel->end = (uint64_t)steps;
    morsel->state = (void *)(uintptr_t)source->next_step;
    source->next_step += steps;
    if (source->next_step >= step_count) {
        source->next_slice = aggregate_slice_from(merged, start_ms + layout->window->size_ms);
        source->started = false;
    }
    return ORIEL_OK;
}

/* Ranks with their running sums, ascending. */
struct running {
    size_t count;
    size_t capacity;
    uint32_t *ranks;
    char *states;
};

static enum oriel_status grow(struct aggregate_reader *reader, struct running *running,
                              size_t count, struct oriel_error *error) {
    if (count <= running->capacity)
        return ORIEL_OK;
    size_t capacity = running->capacity ? running->capacity : 64;
    while (capacity < count)
        capacity *= 2;
    const size_t stride = reader->source->merged->layout->stride_bytes;
    running->ranks = oriel_arena_allocate(&reader->arena, capacity * sizeof *running->ranks);
    running->states = oriel_arena_allocate(&reader->arena, capacity * stride);
    running->capacity = capacity;
    return running->ranks && running->states ? ORIEL_OK : oriel_error_memory(error);
}

static enum oriel_status append(struct aggregate_reader *reader, struct running *to, uint32_t rank,
                                const char *states, struct oriel_error *error) {
    const struct aggregate_layout *layout = reader->source->merged->layout;
    char *into = to->states + to->count * layout->stride_bytes;
    if (!layout->plain_states)
        memset(into, 0, layout->stride_bytes);
    to->ranks[to->count++] = rank;
    return aggregate_merge_states(layout, &reader->arena, false, true, into, states, error);
}

/* next = running + a slice. The states of `running` move, they are not copied. */
static enum oriel_status add_slice(struct aggregate_reader *reader, struct running pair[2],
                                   unsigned *current, uint32_t slice, struct oriel_error *error) {
    const struct aggregate_merged *merged = reader->source->merged;
    const size_t stride = merged->layout->stride_bytes;
    const struct running *running = &pair[*current];
    struct running *next = &pair[1 - *current];
    const struct aggregate_sum *sum = &reader->sum;
    ORIEL_TRY(aggregate_sum_slice(&reader->sum, slice, 0, merged->key_count, false, &reader->arena,
                                  error));
    ORIEL_TRY(grow(reader, next, running->count + sum->count, error));
    next->count = 0;
    size_t at = 0;
    for (size_t i = 0; i < running->count || at < sum->count;) {
        const uint32_t old = i < running->count ? running->ranks[i] : UINT32_MAX;
        const uint32_t fresh = at < sum->count ? sum->ranks[at] : UINT32_MAX;
        if (old <= fresh && i < running->count) {
            memcpy(next->states + next->count * stride, running->states + i * stride, stride);
            next->ranks[next->count++] = old;
            i++;
        } else {
            ORIEL_TRY(append(reader, next, fresh, sum->states[at++], error));
            continue;
        }
        if (old == fresh && at < sum->count)
            ORIEL_TRY(aggregate_merge_states(merged->layout, &reader->arena, false, false,
                                             next->states + (next->count - 1) * stride,
                                             sum->states[at++], error));
    }
    *current = 1 - *current;
    return ORIEL_OK;
}

static enum oriel_status put_step(struct aggregate_reader *reader, const struct running *running,
                                  int64_t start_ms, int64_t end_ms, struct oriel_error *error) {
    const struct aggregate_layout *layout = reader->source->merged->layout;
    for (size_t i = 0; i < running->count; i++) {
        char *states;
        ORIEL_TRY(aggregate_output_add_copy(&reader->output, running->ranks[i], start_ms, end_ms,
                                            running->states + i * layout->stride_bytes, &states,
                                            error));
    }
    return oriel_runtime_check(layout->runtime, error);
}

static enum oriel_status read_cumulate(struct aggregate_reader *reader,
                                       const struct oriel_morsel *morsel,
                                       struct oriel_error *error) {
    const struct aggregate_merged *merged = reader->source->merged;
    const struct aggregate_layout *layout = merged->layout;
    uint32_t slice = (uint32_t)morsel->begin;
    const int64_t first_step = (int64_t)(uintptr_t)morsel->state;
    const int64_t start_ms = window_start(layout, merged->slice_starts_ms[slice]);
    struct running pair[2] = {{0}, {0}};
    unsigned current = 0;
    for (int64_t step = 0; step < first_step + (int64_t)morsel->end;) {
        const int64_t begin_ms = start_ms + step * layout->slice_ms;
        const bool found =
            slice < merged->slice_count && merged->slice_starts_ms[slice] <= begin_ms;
        if (found)
            ORIEL_TRY(add_slice(reader, pair, &current, slice++, error));
        if (step >= first_step) {
            ORIEL_TRY(
                put_step(reader, &pair[current], start_ms, begin_ms + layout->slice_ms, error));
            step++;
        } else { /* straight to the next slice or the first step of the morsel */
            step++;
            const int64_t next =
                slice < merged->slice_count
                    ? (merged->slice_starts_ms[slice] - start_ms) / layout->slice_ms
                    : first_step;
            step = next < first_step ? (next > step ? next : step) : first_step;
        }
    }
    return ORIEL_OK;
}

const struct aggregate_shape aggregate_shape_cumulate = {
    .claim = claim_cumulate, .read = read_cumulate, .single_use = false};
