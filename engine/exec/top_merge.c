/*
 * Brings the groups of all workers into one order: keys once for all windows, then each window's
 * groups by the ranks of their keys, on all workers.
 */
#include "engine/exec/top_merge.h"

#include <stdlib.h>
#include <string.h>

#include "engine/exec/drive.h"
#include "engine/exec/key_rank.h"
#include "kernels/kernels.h"

enum { WINDOWS_A_CLAIM = 8, RANKS_A_GROUP = 8 };

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
                merge->window_of[f][places[at[f]++].window] = number;
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
        merge->window_of[f] = oriel_arena_allocate_zeroed(arena, count, sizeof(uint32_t));
        if (!merge->window_of[f])
            return oriel_error_memory(error);
        at[f] = total;
        ends[f] = total += count;
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

/* Sorts the groups of a filter by window. */
static enum oriel_status list_groups(void *context, unsigned filter, struct oriel_error *error) {
    struct oriel_top_merge *merge = context;
    const struct oriel_top_groups *groups = &merge->filters[filter]->groups;
    uint32_t *begins = merge->begins[filter], *list = merge->groups[filter];
    (void)error;
    for (uint32_t g = 0; g < groups->group_count; g++)
        begins[merge->window_of[filter][groups->group_windows[g]]]++;
    uint32_t sum = 0;
    for (uint32_t i = 0; i <= merge->window_count; i++) {
        const uint32_t count = begins[i];
        begins[i] = sum;
        sum += count;
    }
    for (uint32_t g = 0; g < groups->group_count; g++)
        list[begins[merge->window_of[filter][groups->group_windows[g]]]++] = g;
    for (uint32_t i = merge->window_count; i > 0; i--)
        begins[i] = begins[i - 1];
    begins[0] = 0;
    return ORIEL_OK;
}

/* The sorting of all windows' groups. */
struct sorting {
    struct oriel_top_merge *merge;
    _Atomic uint64_t next;
};

/* One worker's room. */
struct room {
    struct oriel_memory *memory;
    uint32_t *group_of_rank; /* + 1; all zero between windows */
    size_t rank_count;
    uint64_t *words; /* 2 * capacity */
    uint32_t *spare;
    size_t capacity;
};

static void free_room(struct room *room) {
    oriel_memory_release(room->memory, room->group_of_rank,
                         room->rank_count * sizeof *room->group_of_rank);
    oriel_memory_release(room->memory, room->words, 2 * room->capacity * sizeof *room->words);
    oriel_memory_release(room->memory, room->spare, room->capacity * sizeof *room->spare);
}

static bool make_room(struct room *room, size_t count) {
    if (count <= room->capacity)
        return true;
    oriel_memory_release(room->memory, room->words, 2 * room->capacity * sizeof *room->words);
    oriel_memory_release(room->memory, room->spare, room->capacity * sizeof *room->spare);
    room->words = oriel_memory_allocate(room->memory, 2 * count * sizeof *room->words);
    room->spare = oriel_memory_allocate(room->memory, count * sizeof *room->spare);
    room->capacity = count;
    return room->words && room->spare;
}

/* Few ranks: an array by rank is filled and read. */
static bool sort_by_array(const struct oriel_top_merge *merge, struct room *room, unsigned filter,
                          uint32_t *list, size_t count) {
    if (!room->group_of_rank) {
        room->group_of_rank = oriel_memory_allocate_zeroed(room->memory, merge->key_count,
                                                           sizeof *room->group_of_rank);
        if (!room->group_of_rank)
            return false;
        room->rank_count = merge->key_count;
    }
    uint32_t *groups = room->group_of_rank;
    for (size_t i = 0; i < count; i++)
        groups[oriel_top_rank(merge, filter, list[i])] = list[i] + 1;
    size_t at = 0;
    for (uint32_t rank = 0; rank < merge->key_count; rank++) {
        list[at] = groups[rank] - 1;
        at += groups[rank] != 0;
        groups[rank] = 0;
        if (at == count)
            break;
    }
    return true;
}

static bool sort_window(const struct oriel_top_merge *merge, struct room *room, unsigned filter,
                        uint32_t window) {
    uint32_t *list = merge->groups[filter] + merge->begins[filter][window];
    const size_t count = merge->begins[filter][window + 1] - merge->begins[filter][window];
    if (count < 2)
        return true;
    if (merge->key_count / RANKS_A_GROUP <= count)
        return sort_by_array(merge, room, filter, list, count);
    if (!make_room(room, count))
        return false;
    for (size_t i = 0; i < count; i++)
        room->words[i] = oriel_top_rank(merge, filter, list[i]);
    merge->runtime->kernels->radix_sort_u64(room->words, list, count, room->words + room->capacity,
                                            room->spare);
    return true;
}

static enum oriel_status sort_windows(void *context, unsigned worker, struct oriel_error *error) {
    struct sorting *sorting = context;
    const struct oriel_top_merge *merge = sorting->merge;
    struct room room = {.memory = merge->runtime->memory};
    const uint64_t total = (uint64_t)merge->filter_count * merge->window_count;
    enum oriel_status status = ORIEL_OK;
    (void)worker;
    while (status == ORIEL_OK) {
        const uint64_t first =
            atomic_fetch_add_explicit(&sorting->next, WINDOWS_A_CLAIM, memory_order_relaxed);
        if (first >= total)
            break;
        status = oriel_runtime_check(merge->runtime, error);
        for (uint64_t i = first; i < total && i < first + WINDOWS_A_CLAIM && !status; i++)
            if (!sort_window(merge, &room, (unsigned)(i / merge->window_count),
                             (uint32_t)(i % merge->window_count)))
                status = oriel_error_memory(error);
    }
    free_room(&room);
    return status;
}

static enum oriel_status init_parts(struct oriel_top_merge *merge, struct oriel_error *error) {
    struct oriel_arena *arena = &merge->arena;
    const unsigned count = merge->filter_count;
    merge->rank_of_key = oriel_arena_allocate_zeroed(arena, count, sizeof(void *));
    merge->window_of = oriel_arena_allocate_zeroed(arena, count, sizeof(void *));
    merge->begins = oriel_arena_allocate_zeroed(arena, count, sizeof(void *));
    merge->groups = oriel_arena_allocate_zeroed(arena, count, sizeof(void *));
    if (!merge->rank_of_key || !merge->window_of || !merge->begins || !merge->groups)
        return oriel_error_memory(error);
    ORIEL_TRY(rank_keys(merge, error));
    ORIEL_TRY(merge_windows(merge, error));
    for (unsigned f = 0; f < count; f++) {
        const size_t group_count = merge->filters[f]->groups.group_count;
        merge->begins[f] =
            oriel_arena_allocate_zeroed(arena, (size_t)merge->window_count + 1, sizeof(uint32_t));
        merge->groups[f] = oriel_arena_allocate(arena, group_count * sizeof(uint32_t));
        if (!merge->begins[f] || !merge->groups[f])
            return oriel_error_memory(error);
    }
    struct sorting sorting = {.merge = merge};
    ORIEL_TRY(oriel_run_workers(merge->runtime, list_groups, merge, error));
    return oriel_run_workers(merge->runtime, sort_windows, &sorting, error);
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
    if (merge->runtime)
        oriel_arena_deinit(&merge->arena);
    *merge = (struct oriel_top_merge){0};
}
