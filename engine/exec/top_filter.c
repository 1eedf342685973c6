/*
 * What a worker of Top-N and deduplication keeps: groups, their rows, and the ways in and out.
 */
#include "engine/exec/top_filter.h"

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
    const size_t words = filter->word_capacity, items = filter->item_capacity;
    oriel_memory_release(memory, filter->best_words, words * sizeof *filter->best_words);
    oriel_memory_release(memory, filter->best_rows, items * sizeof *filter->best_rows);
    oriel_memory_release(memory, filter->bounds, words * sizeof *filter->bounds);
    oriel_memory_release(memory, filter->heaps, items * sizeof *filter->heaps);
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

/* Grows an array by group, if need be; new entries are zero. */
static bool grow_array(struct oriel_memory *memory, void **items, uint32_t *capacity,
                       uint32_t needed, size_t size_bytes) {
    if (needed <= *capacity)
        return true;
    uint32_t wanted = *capacity ? *capacity : FIRST_GROUPS;
    while (wanted < needed)
        wanted = wanted > UINT32_MAX / 2 ? needed : wanted * 2;
    void *grown =
        oriel_memory_resize_zeroed(memory, *items, *capacity * size_bytes, wanted * size_bytes);
    if (!grown)
        return false;
    *items = grown;
    *capacity = wanted;
    return true;
}

static enum oriel_status make_room(struct oriel_top_filter *filter, struct oriel_error *error) {
    struct oriel_memory *memory = filter->runtime->memory;
    const uint32_t needed = filter->groups.group_count;
    const bool single = filter->single;
    void *words = single ? filter->best_words : filter->bounds;
    void *items = single ? (void *)filter->best_rows : filter->heaps;
    const bool grown =
        grow_array(memory, &words, &filter->word_capacity, needed, sizeof(uint64_t)) &&
        grow_array(memory, &items, &filter->item_capacity, needed,
                   single ? sizeof *filter->best_rows : sizeof *filter->heaps);
    if (single) {
        filter->best_words = words;
        filter->best_rows = items;
    } else {
        filter->bounds = words;
        filter->heaps = items;
        for (; grown && filter->bound_count < needed; filter->bound_count++)
            filter->bounds[filter->bound_count] = UINT64_MAX;
    }
    return grown ? ORIEL_OK : oriel_error_memory(error);
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
    const size_t item = filter->single ? sizeof *filter->best_rows : sizeof *filter->heaps;
    size_t bytes = filter->store.arena.total_bytes + filter->heap_arena.total_bytes +
                   filter->word_capacity * sizeof(uint64_t) + filter->item_capacity * item +
                   oriel_top_groups_bytes(&filter->groups);
    for (uint32_t i = 0; i < filter->layout->store.field_count; i++)
        bytes += filter->store.capacity *
                 oriel_physical_size(oriel_type_physical(&filter->layout->store.fields[i].type));
    return bytes;
}

size_t oriel_top_filter_row_count(const struct oriel_top_filter *filter) {
    return filter->single ? filter->store.row_count : filter->live_count;
}

/* Rows of a group; a push that failed leaves groups without any. */
static uint32_t group_rows(const struct oriel_top_filter *filter, uint32_t group) {
    if (filter->single)
        return group < filter->store.row_count;
    return group < filter->item_capacity ? filter->heaps[group].count : 0;
}

size_t oriel_top_filter_kept(const struct oriel_top_filter *filter, struct oriel_top_walk *walk,
                             struct oriel_top_kept *kept, size_t capacity) {
    const struct oriel_top_groups *groups = &filter->groups;
    size_t count = 0;
    for (; walk->window < groups->window_count; walk->window++, walk->slot = 0) {
        const struct oriel_top_window *window = &groups->windows[walk->window];
        while (walk->in_group ||
               oriel_top_groups_next(groups, window, &walk->slot, &walk->member)) {
            const uint32_t group = walk->member.group;
            for (walk->in_group = true; walk->entry < group_rows(filter, group); walk->entry++) {
                if (count == capacity)
                    return count;
                const uint64_t row =
                    filter->single ? group : filter->heaps[group].entries[walk->entry].row;
                kept[count] =
                    (struct oriel_top_kept){(uint32_t)row, walk->member.key, walk->window};
                count += row < filter->store.row_count; /* see group_rows */
            }
            walk->in_group = false;
            walk->entry = 0;
        }
    }
    return count;
}
