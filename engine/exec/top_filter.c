/*
 * What a worker of Top-N and deduplication keeps: groups, their rows, and the ways in and out.
 */
#include "engine/exec/top_filter.h"

#include <string.h>

enum { FIRST_GROUPS = 256 };

static enum oriel_status open_parts(struct oriel_top_filter *filter, struct oriel_error *error) {
    struct oriel_arena *arena = &filter->arena;
    const size_t rows = filter->runtime->batch_rows;
    filter->ids = oriel_arena_allocate_zeroed(arena, rows, sizeof *filter->ids);
    filter->words = oriel_arena_allocate_zeroed(arena, rows * 3, sizeof *filter->words);
    filter->pending = oriel_arena_allocate_zeroed(arena, rows, sizeof *filter->pending);
    filter->touched = oriel_arena_allocate_zeroed(arena, rows, sizeof *filter->touched);
    filter->columns = oriel_arena_allocate_zeroed(arena, filter->layout->store.field_count,
                                                  sizeof *filter->columns);
    if (!filter->ids || !filter->words || !filter->pending || !filter->touched || !filter->columns)
        return oriel_error_memory(error);
    return oriel_top_groups_init(&filter->groups, filter->layout, filter->runtime, error);
}

enum oriel_status oriel_top_filter_init(struct oriel_top_filter *filter,
                                        const struct oriel_runtime *runtime,
                                        const struct oriel_top_layout *layout,
                                        struct oriel_error *error) {
    *filter = (struct oriel_top_filter){
        .runtime = runtime, .layout = layout, .single = layout->plan->rank.high == 1};
    oriel_arena_init(&filter->arena, runtime->memory);
    oriel_arena_init(&filter->heap_arena, runtime->memory);
    oriel_table_init(&filter->store, runtime->memory, layout->store);
    const enum oriel_status status = open_parts(filter, error);
    if (status != ORIEL_OK)
        oriel_top_filter_deinit(filter);
    return status;
}

void oriel_top_filter_deinit(struct oriel_top_filter *filter) {
    if (!filter->runtime)
        return;
    struct oriel_memory *memory = filter->runtime->memory;
    const size_t capacity = filter->group_capacity;
    oriel_memory_release(memory, filter->best_words, capacity * sizeof *filter->best_words);
    oriel_memory_release(memory, filter->best_rows, capacity * sizeof *filter->best_rows);
    oriel_memory_release(memory, filter->heaps, capacity * sizeof *filter->heaps);
    oriel_memory_release(memory, filter->bounds, capacity * sizeof *filter->bounds);
    oriel_arena_deinit(&filter->heap_arena);
    oriel_top_groups_deinit(&filter->groups);
    oriel_table_deinit(&filter->store);
    oriel_arena_deinit(&filter->arena);
    *filter = (struct oriel_top_filter){0};
}

enum oriel_status oriel_top_filter_clear(struct oriel_top_filter *filter,
                                         struct oriel_error *error) {
    const struct oriel_runtime *runtime = filter->runtime;
    const struct oriel_top_layout *layout = filter->layout;
    oriel_top_filter_deinit(filter);
    return oriel_top_filter_init(filter, runtime, layout, error);
}

/* Replaces one of the arrays by group by a larger one, whose new entries are bytes `fill`. */
static bool grow_array(struct oriel_memory *memory, void **items, size_t old_bytes, size_t bytes,
                       int fill) {
    char *grown = oriel_memory_allocate(memory, bytes);
    if (!grown)
        return false;
    if (old_bytes)
        memcpy(grown, *items, old_bytes);
    memset(grown + old_bytes, fill, bytes - old_bytes);
    *items = grown;
    return true;
}

static enum oriel_status make_room(struct oriel_top_filter *filter, struct oriel_error *error) {
    struct oriel_memory *memory = filter->runtime->memory;
    const uint32_t old = filter->group_capacity, needed = filter->groups.group_count;
    if (needed <= old)
        return ORIEL_OK;
    uint32_t capacity = old ? old : FIRST_GROUPS;
    while (capacity < needed)
        capacity = capacity > UINT32_MAX / 2 ? needed : capacity * 2;
    const bool single = filter->single;
    const size_t word = sizeof(uint64_t);
    const size_t size = single ? sizeof *filter->best_rows : sizeof *filter->heaps;
    void *old_words = single ? filter->best_words : filter->bounds;
    void *old_items = single ? (void *)filter->best_rows : (void *)filter->heaps;
    void *words = old_words, *items = old_items;
    if (!grow_array(memory, &words, old * word, capacity * word, 0xFF))
        return oriel_error_memory(error);
    if (!grow_array(memory, &items, old * size, capacity * size, 0)) {
        oriel_memory_release(memory, words, capacity * word);
        return oriel_error_memory(error);
    }
    oriel_memory_release(memory, old_words, old * word);
    oriel_memory_release(memory, old_items, old * size);
    if (single) {
        filter->best_words = words;
        filter->best_rows = items;
    } else {
        filter->bounds = words;
        filter->heaps = items;
    }
    filter->group_capacity = capacity;
    return ORIEL_OK;
}

enum oriel_status oriel_top_filter_push(struct oriel_top_filter *filter,
                                        const struct oriel_batch *batch,
                                        struct oriel_error *error) {
    const struct oriel_top_layout *layout = filter->layout;
    if (layout->plan->rank.high <= 0)
        return ORIEL_OK;
    ORIEL_TRY(oriel_top_groups_find(&filter->groups, batch, filter->ids, error));
    ORIEL_TRY(make_room(filter, error));
    oriel_top_encode(layout, batch, filter->words);
    for (uint32_t c = 0; c < layout->store.field_count; c++)
        filter->columns[c] = batch->columns[layout->stored[c]];
    return filter->single ? oriel_top_single_push(filter, batch, error)
                          : oriel_top_heap_push(filter, batch, error);
}

enum oriel_status oriel_top_filter_store(struct oriel_top_filter *filter, size_t row_count,
                                         struct oriel_error *error) {
    const struct oriel_batch rows = {.row_count = row_count,
                                     .column_count = filter->layout->store.field_count,
                                     .columns = filter->columns};
    return oriel_table_append(&filter->store, &rows, filter->pending, 0, filter->pending_count,
                              error);
}

enum oriel_status oriel_top_filter_compact(struct oriel_top_filter *filter, const uint32_t *rows,
                                           size_t count, struct oriel_error *error) {
    struct oriel_table kept;
    oriel_table_init(&kept, filter->runtime->memory, filter->layout->store);
    const struct oriel_batch batch = {.row_count = filter->store.row_count,
                                      .column_count = filter->layout->store.field_count,
                                      .columns = filter->store.columns};
    const enum oriel_status status = oriel_table_append(&kept, &batch, rows, 0, count, error);
    if (status != ORIEL_OK) {
        oriel_table_deinit(&kept);
        return status;
    }
    oriel_table_deinit(&filter->store);
    filter->store = kept;
    filter->store_kept_bytes = kept.arena.total_bytes;
    return ORIEL_OK;
}

size_t oriel_top_filter_bytes(const struct oriel_top_filter *filter) {
    const size_t by_group = filter->single ? sizeof *filter->best_words + sizeof *filter->best_rows
                                           : sizeof *filter->heaps + sizeof *filter->bounds;
    size_t bytes = filter->store.arena.total_bytes + filter->heap_arena.total_bytes +
                   filter->group_capacity * by_group + oriel_top_groups_bytes(&filter->groups);
    for (uint32_t i = 0; i < filter->layout->store.field_count; i++)
        bytes += filter->store.capacity *
                 oriel_physical_size(oriel_type_physical(&filter->layout->store.fields[i].type));
    return bytes;
}

size_t oriel_top_filter_row_count(const struct oriel_top_filter *filter) {
    return filter->single ? filter->store.row_count : filter->live_count;
}

size_t oriel_top_filter_kept(const struct oriel_top_filter *filter, struct oriel_top_walk *walk,
                             uint32_t *rows, uint32_t *groups, size_t capacity) {
    size_t count = 0;
    if (filter->single) {
        for (; walk->group < filter->store.row_count && count < capacity; walk->group++)
            rows[count] = groups[count] = walk->group, count++;
        return count;
    }
    const uint32_t group_count = filter->group_capacity < filter->groups.group_count
                                     ? filter->group_capacity
                                     : filter->groups.group_count;
    for (; walk->group < group_count; walk->group++, walk->entry = 0) {
        const struct oriel_top_heap *heap = &filter->heaps[walk->group];
        for (; walk->entry < heap->count; walk->entry++) {
            if (count == capacity)
                return count;
            groups[count] = walk->group;
            rows[count] = (uint32_t)heap->entries[walk->entry].row;
            /* a push that failed leaves entries without a row */
            count += heap->entries[walk->entry].row < filter->store.row_count;
        }
    }
    return count;
}
