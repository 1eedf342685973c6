/*
 * Brings the groups of all workers into one order: keys once for all windows, and windows by time.
 */
#include "engine/exec/top_merge.h"

#include <stdlib.h>

#include "engine/exec/drive.h"
#include "engine/exec/key_rank.h"

/* ranks of the ids, which are those of all filters together, become ranks of each filter's. */
static enum oriel_status rank_filter_keys(struct oriel_top_merge *merge, unsigned filter,
                                          struct oriel_error *error) {
    const struct oriel_key_table *own = &merge->filters[filter]->groups.keys;
    uint32_t *ids = oriel_arena_allocate(&merge->arena, ((size_t)own->key_count + 1) * sizeof *ids);
    if (!ids)
        return oriel_error_memory(error);
    merge->rank_of_key[filter] = ids;
    if (filter == 0) {
        for (uint32_t i = 0; i < own->key_count; i++)
            ids[i] = i;
        return ORIEL_OK;
    }
    return oriel_key_table_map(merge->keys, own->keys.columns, own->key_count, ids, error);
}

static enum oriel_status rank_keys(struct oriel_top_merge *merge, struct oriel_error *error) {
    const struct oriel_top_layout *layout = merge->layout;
    struct oriel_memory *memory = merge->runtime->memory;
    merge->keys = &merge->filters[0]->groups.keys;
    if (layout->key_count == 0) {
        merge->key_count = 1;
        merge->key_of_rank = oriel_arena_allocate_zeroed(&merge->arena, 1, sizeof(uint32_t));
        for (unsigned f = 0; f < merge->filter_count; f++)
            merge->rank_of_key[f] = merge->key_of_rank;
        return merge->key_of_rank ? ORIEL_OK : oriel_error_memory(error);
    }
    for (unsigned f = 0; f < merge->filter_count; f++)
        ORIEL_TRY(rank_filter_keys(merge, f, error));
    const uint32_t count = merge->key_count = merge->keys->key_count;
    if (count == 0)
        return ORIEL_OK;
    merge->key_of_rank = oriel_arena_allocate(&merge->arena, count * sizeof *merge->key_of_rank);
    uint32_t *ranks = oriel_memory_allocate(memory, count * sizeof *ranks);
    enum oriel_status status = ORIEL_OK;
    if (!merge->key_of_rank || !ranks)
        status = oriel_error_memory(error);
    else
        status = oriel_key_rank(merge->runtime, &merge->keys->keys, layout->key_items,
                                layout->key_count, merge->key_of_rank, error);
    for (uint32_t r = 0; status == ORIEL_OK && r < count; r++)
        ranks[merge->key_of_rank[r]] = r;
    for (unsigned f = 0; status == ORIEL_OK && f < merge->filter_count; f++) {
        /* the first table has grown by the keys of the others */
        const uint32_t own = f ? merge->filters[f]->groups.keys.key_count : merge->own_key_count;
        for (uint32_t i = 0; i < own; i++)
            merge->rank_of_key[f][i] = ranks[merge->rank_of_key[f][i]];
    }
    oriel_memory_release(memory, ranks, count * sizeof *ranks);
    return status;
}

/* A window of a filter. */
struct place {
    int64_t end, start;
    uint32_t window;
    unsigned filter;
};

static int by_time(const void *x, const void *y) {
    const struct place *a = x, *b = y;
    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    return (a->start > b->start) - (a->start < b->start);
}

/* Lists the windows of a filter by time. */
static void list_windows(const struct oriel_top_merge *merge, unsigned filter,
                         struct place *places) {
    const struct oriel_top_groups *groups = &merge->filters[filter]->groups;
    bool ascending = true;
    for (uint32_t i = 0; i < groups->window_count; i++) {
        places[i] = (struct place){groups->windows[i].end, groups->windows[i].start, i, filter};
        ascending &= i == 0 || by_time(&places[i - 1], &places[i]) < 0;
    }
    if (!ascending)
        qsort(places, groups->window_count, sizeof *places, by_time);
}

/* Merges the lists of all filters, which lie one after the other in `places`. */
static void number_windows(struct oriel_top_merge *merge, const struct place *places, size_t *at,
                           const size_t *ends) {
    for (;;) {
        const struct place *least = NULL;
        for (unsigned f = 0; f < merge->filter_count; f++)
            if (at[f] < ends[f] && (!least || by_time(&places[at[f]], least) < 0))
                least = &places[at[f]];
        if (!least)
            return;
        const uint32_t number = merge->window_count++;
        merge->ends[number] = least->end;
        merge->starts[number] = least->start;
        for (unsigned f = 0; f < merge->filter_count; f++)
            if (at[f] < ends[f] && by_time(&places[at[f]], least) == 0)
                merge->windows[f][number] =
                    &merge->filters[f]->groups.windows[places[at[f]++].window];
    }
}

static enum oriel_status merge_windows(struct oriel_top_merge *merge, struct oriel_error *error) {
    struct oriel_arena *arena = &merge->arena;
    struct oriel_memory *memory = merge->runtime->memory;
    size_t total = 0;
    size_t *at = oriel_arena_allocate_zeroed(arena, merge->filter_count, sizeof *at);
    size_t *ends = oriel_arena_allocate_zeroed(arena, merge->filter_count, sizeof *ends);
    if (!at || !ends)
        return oriel_error_memory(error);
    for (unsigned f = 0; f < merge->filter_count; f++) {
        const uint32_t count = merge->filters[f]->groups.window_count;
        at[f] = total;
        ends[f] = total += count;
    }
    for (unsigned f = 0; f < merge->filter_count; f++) {
        merge->windows[f] = oriel_arena_allocate_zeroed(arena, total, sizeof(void *));
        merge->large_lists[f] =
            oriel_arena_allocate_zeroed(arena, total, sizeof *merge->large_lists[f]);
        if (!merge->windows[f] || !merge->large_lists[f])
            return oriel_error_memory(error);
    }
    merge->ends = oriel_arena_allocate_zeroed(arena, total, sizeof *merge->ends);
    merge->starts = oriel_arena_allocate_zeroed(arena, total, sizeof *merge->starts);
    struct place *places = oriel_memory_allocate(memory, total * sizeof *places);
    if (merge->ends && merge->starts && places) {
        for (unsigned f = 0; f < merge->filter_count; f++)
            list_windows(merge, f, places + at[f]);
        number_windows(merge, places, at, ends);
    }
    const bool failed = !merge->ends || !merge->starts || !places;
    oriel_memory_release(memory, places, total * sizeof *places);
    return failed ? oriel_error_memory(error) : ORIEL_OK;
}

/* The making of the lists of large windows. */
struct listing {
    struct oriel_top_merge *merge;
    _Atomic uint64_t next;
};

static enum oriel_status list_large(void *context, unsigned worker, struct oriel_error *error) {
    struct listing *listing = context;
    const struct oriel_top_merge *merge = listing->merge;
    const uint64_t total = (uint64_t)merge->filter_count * merge->window_count;
    struct oriel_top_room room = {0};
    enum oriel_status status = ORIEL_OK;
    (void)worker;
    while (status == ORIEL_OK) {
        const uint64_t next = atomic_fetch_add_explicit(&listing->next, 1, memory_order_relaxed);
        if (next >= total)
            break;
        const unsigned filter = (unsigned)(next / merge->window_count);
        const uint32_t window = (uint32_t)(next % merge->window_count);
        if (oriel_top_group_count(merge, window) < ORIEL_TOP_LARGE_WINDOW)
            continue;
        status = oriel_runtime_check(merge->runtime, error);
        if (status == ORIEL_OK)
            status = oriel_top_list_make(merge, &room, filter, window,
                                         &merge->large_lists[filter][window], error);
    }
    oriel_top_room_deinit(merge, &room);
    return status;
}

static enum oriel_status init_parts(struct oriel_top_merge *merge, struct oriel_error *error) {
    struct oriel_arena *arena = &merge->arena;
    const unsigned count = merge->filter_count;
    merge->rank_of_key = oriel_arena_allocate_zeroed(arena, count, sizeof(void *));
    merge->windows = oriel_arena_allocate_zeroed(arena, count, sizeof(void *));
    merge->large_lists = oriel_arena_allocate_zeroed(arena, count, sizeof(void *));
    if (!merge->rank_of_key || !merge->windows || !merge->large_lists)
        return oriel_error_memory(error);
    ORIEL_TRY(rank_keys(merge, error));
    ORIEL_TRY(merge_windows(merge, error));
    struct listing listing = {.merge = merge};
    return oriel_run_workers(merge->runtime, list_large, &listing, error);
}

uint64_t oriel_top_group_count(const struct oriel_top_merge *merge, uint32_t window) {
    uint64_t count = 0;
    for (unsigned f = 0; f < merge->filter_count; f++)
        count += merge->windows[f][window] ? merge->windows[f][window]->group_count : 0;
    return count;
}

enum oriel_status oriel_top_merge_init(struct oriel_top_merge *merge,
                                       const struct oriel_runtime *runtime,
                                       const struct oriel_top_layout *layout,
                                       struct oriel_top_filter *const *filters,
                                       unsigned filter_count, struct oriel_error *error) {
    *merge = (struct oriel_top_merge){.runtime = runtime,
                                      .layout = layout,
                                      .filters = filters,
                                      .filter_count = filter_count,
                                      .own_key_count = filters[0]->groups.keys.key_count};
    oriel_arena_init(&merge->arena, runtime->memory);
    const enum oriel_status status = init_parts(merge, error);
    if (status != ORIEL_OK)
        oriel_top_merge_deinit(merge);
    return status;
}

void oriel_top_merge_deinit(struct oriel_top_merge *merge) {
    if (!merge->runtime)
        return;
    for (unsigned f = 0; merge->large_lists && f < merge->filter_count; f++)
        for (uint32_t w = 0; merge->large_lists[f] && w < merge->window_count; w++)
            oriel_top_list_deinit(merge, &merge->large_lists[f][w]);
    oriel_arena_deinit(&merge->arena);
    *merge = (struct oriel_top_merge){0};
}
