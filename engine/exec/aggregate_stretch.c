/*
 * Stretches of input in time: the batches of a worker, and which of the sessions in them are whole
 * because no row of another batch can be near.
 */
#include <stdlib.h>

#include "engine/exec/aggregate_sessions.h"

static int by_least(const void *a, const void *b) {
    const struct aggregate_stretch *x = a, *y = b;
    if (x->least_ms != y->least_ms)
        return x->least_ms < y->least_ms ? -1 : 1;
    if (x->store != y->store)
        return x->store < y->store ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Joins batches that one worker read one after the other and that lie so in time too. */
static size_t join_stretches(struct aggregate_stretch *stretches, size_t count) {
    size_t joined = 0;
    int64_t greatest_ms = INT64_MIN;
    for (size_t i = 0; i < count; i++) {
        const struct aggregate_stretch here = stretches[i];
        struct aggregate_stretch *last = joined ? &stretches[joined - 1] : NULL;
        if (last && last->store == here.store && last->number + 1 == here.number &&
            greatest_ms <= here.least_ms) {
            last->greatest_ms = here.greatest_ms;
            last->number = here.number;
            last->descends = last->descends || here.descends;
        } else {
            stretches[joined++] = here;
        }
        greatest_ms = here.greatest_ms > greatest_ms ? here.greatest_ms : greatest_ms;
    }
    return joined;
}

/* No session is whole where that would have to be before the first time or after the last. */
static struct session_stretch bound_stretch(const struct aggregate_stretch *stretch,
                                            const int64_t *before_ms, const int64_t *after_ms,
                                            int64_t gap_ms) {
    struct session_stretch bound = {stretch->least_ms, stretch->least_ms, stretch->greatest_ms};
    int64_t nearest_ms;
    bool possible = !stretch->descends;
    if (before_ms && (__builtin_add_overflow(*before_ms, gap_ms, &nearest_ms) ||
                      __builtin_add_overflow(nearest_ms, 1, &nearest_ms)))
        possible = false;
    else if (before_ms && nearest_ms > bound.whole_from_ms)
        bound.whole_from_ms = nearest_ms;
    if (after_ms && (__builtin_sub_overflow(*after_ms, gap_ms, &nearest_ms) ||
                     __builtin_sub_overflow(nearest_ms, 1, &nearest_ms)))
        possible = false;
    else if (after_ms && nearest_ms < bound.whole_to_ms)
        bound.whole_to_ms = nearest_ms;
    if (!possible) {
        bound.whole_from_ms = INT64_MAX;
        bound.whole_to_ms = INT64_MIN;
    }
    return bound;
}

static void bound_stretches(struct aggregate_sessions *sessions,
                            const struct aggregate_stretch *stretches, size_t count) {
    const int64_t gap_ms = sessions->merged->layout->window->size_ms;
    int64_t greatest_ms = INT64_MIN;
    for (size_t i = 0; i < count; i++) {
        sessions->stretches[i] =
            bound_stretch(&stretches[i], i ? &greatest_ms : NULL,
                          i + 1 < count ? &stretches[i + 1].least_ms : NULL, gap_ms);
        if (stretches[i].greatest_ms > greatest_ms)
            greatest_ms = stretches[i].greatest_ms;
    }
    sessions->stretch_count = (uint32_t)count;
}

enum oriel_status aggregate_sessions_list_stretches(struct aggregate_sessions *sessions,
                                                    struct oriel_error *error) {
    const struct aggregate_merged *merged = sessions->merged;
    struct oriel_memory *memory = merged->layout->runtime->memory;
    size_t count = 0;
    for (unsigned s = 0; s < merged->store_count; s++)
        count += merged->stores[s].stretch_count;
    struct aggregate_stretch *stretches = oriel_memory_allocate(memory, count * sizeof *stretches);
    sessions->stretches = oriel_memory_allocate(memory, count * sizeof *sessions->stretches);
    sessions->stretch_capacity = count;
    if (!stretches || !sessions->stretches) {
        oriel_memory_release(memory, stretches, count * sizeof *stretches);
        return oriel_error_memory(error);
    }
    size_t at = 0;
    for (unsigned s = 0; s < merged->store_count; s++) {
        const struct aggregate_store *store = &merged->stores[s];
        const struct aggregate_stretch *from = store->stretches.items;
        for (uint32_t i = 0; i < store->stretch_count; i++) {
            stretches[at] = from[i];
            stretches[at++].store = s;
        }
    }
    qsort(stretches, count, sizeof *stretches, by_least);
    bound_stretches(sessions, stretches, join_stretches(stretches, count));
    oriel_memory_release(memory, stretches, count * sizeof *stretches);
    return ORIEL_OK;
}
