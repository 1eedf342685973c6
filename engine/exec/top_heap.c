/*
 * The bounded heaps of Top-N. Most rows end at one comparison: the word of their first order item
 * against the bound of their group.
 */
#include <string.h>

#include "engine/exec/row_key.h"
#include "engine/exec/top_filter.h"

enum { WASTE_ROWS = 4096 };

static const struct oriel_column *place_of(const struct oriel_top_filter *filter, uint64_t row,
                                           size_t *at) {
    if (row < filter->store.row_count) {
        *at = (size_t)row;
        return filter->store.columns;
    }
    *at = filter->pending[row - filter->store.row_count];
    return filter->columns;
}

/* Whether `a` comes before `b` in the ranking. */
static bool is_before(const struct oriel_top_filter *filter, const struct oriel_top_entry *a,
                      const struct oriel_top_entry *b) {
    const struct oriel_top_layout *layout = filter->layout;
    if (a->word != b->word)
        return a->word < b->word;
    if (!oriel_top_is_equal(layout, a->word)) {
        size_t row_a, row_b;
        const struct oriel_column *columns_a = place_of(filter, a->row, &row_a);
        const struct oriel_column *columns_b = place_of(filter, b->row, &row_b);
        const int order = oriel_row_key_order(columns_a, row_a, columns_b, row_b,
                                              layout->store_items, layout->item_count);
        if (order)
            return order < 0;
    }
    return layout->plan->rank.last_of_equals ? a->position > b->position
                                             : a->position < b->position;
}

static void sift_up(const struct oriel_top_filter *filter, struct oriel_top_heap *heap,
                    uint32_t at) {
    struct oriel_top_entry *entries = heap->entries;
    const struct oriel_top_entry moved = entries[at];
    while (at > 0) {
        const uint32_t parent = (at - 1) / 2;
        if (!is_before(filter, &entries[parent], &moved))
            break;
        entries[at] = entries[parent];
        at = parent;
    }
    entries[at] = moved;
}

static void sift_down(const struct oriel_top_filter *filter, struct oriel_top_heap *heap) {
    struct oriel_top_entry *entries = heap->entries;
    const struct oriel_top_entry moved = entries[0];
    uint32_t at = 0;
    for (;;) {
        uint32_t child = at * 2 + 1;
        if (child >= heap->count)
            break;
        if (child + 1 < heap->count && is_before(filter, &entries[child], &entries[child + 1]))
            child++;
        if (!is_before(filter, &moved, &entries[child]))
            break;
        entries[at] = entries[child];
        at = child;
    }
    entries[at] = moved;
}

static enum oriel_status make_room(struct oriel_top_filter *filter, struct oriel_top_heap *heap,
                                   struct oriel_error *error) {
    if (heap->count < heap->capacity)
        return ORIEL_OK;
    const uint32_t capacity = heap->capacity ? heap->capacity * 2 : 1;
    struct oriel_top_entry *entries =
        oriel_arena_allocate(&filter->heap_arena, capacity * sizeof *entries);
    if (!entries)
        return oriel_error_memory(error);
    if (heap->count)
        memcpy(entries, heap->entries, heap->count * sizeof *entries);
    heap->entries = entries;
    heap->capacity = capacity;
    return ORIEL_OK;
}

/* A row that its group's bound did not exclude. */
static enum oriel_status take(struct oriel_top_filter *filter, const int64_t *positions,
                              uint32_t row, struct oriel_error *error) {
    const uint64_t high = (uint64_t)filter->layout->plan->rank.high;
    const uint32_t group = filter->ids[row];
    struct oriel_top_heap *heap = &filter->heaps[group];
    struct oriel_top_entry entry = {filter->words[row], positions[row],
                                    filter->store.row_count + filter->pending_count};
    filter->pending[filter->pending_count] = row;
    if (heap->count < high) {
        ORIEL_TRY(make_room(filter, heap, error));
        heap->entries[heap->count++] = entry;
        filter->pending_count++;
        filter->live_count++;
        sift_up(filter, heap, heap->count - 1);
    } else {
        if (!is_before(filter, &entry, &heap->entries[0]))
            return ORIEL_OK;
        const uint64_t evicted = heap->entries[0].row;
        if (evicted >= filter->store.row_count) {
            /* it has not been stored yet: its place is free */
            filter->pending[evicted - filter->store.row_count] = row;
            entry.row = evicted;
        } else {
            filter->pending_count++;
        }
        heap->entries[0] = entry;
        sift_down(filter, heap);
    }
    if (heap->count == high)
        filter->bounds[group] = heap->entries[0].word;
    return ORIEL_OK;
}

/* Drops dead rows from the store. */
static enum oriel_status compact(struct oriel_top_filter *filter, struct oriel_error *error) {
    struct oriel_memory *memory = filter->runtime->memory;
    const size_t count = filter->live_count;
    uint32_t *rows = oriel_memory_allocate(memory, count * sizeof *rows);
    if (!rows)
        return oriel_error_memory(error);
    size_t at = 0;
    for (uint32_t group = 0; group < filter->groups.group_count; group++)
        for (uint32_t i = 0; i < filter->heaps[group].count; i++)
            rows[at++] = (uint32_t)filter->heaps[group].entries[i].row;
    const enum oriel_status status = oriel_top_filter_compact(filter, rows, count, error);
    oriel_memory_release(memory, rows, count * sizeof *rows);
    if (status != ORIEL_OK)
        return status;
    at = 0;
    for (uint32_t group = 0; group < filter->groups.group_count; group++)
        for (uint32_t i = 0; i < filter->heaps[group].count; i++)
            filter->heaps[group].entries[i].row = at++;
    return ORIEL_OK;
}

enum oriel_status oriel_top_heap_push(struct oriel_top_filter *filter,
                                      const struct oriel_batch *batch, struct oriel_error *error) {
    const int64_t *positions = batch->columns[batch->column_count - 1].values;
    filter->pending_count = 0;
    for (uint32_t row = 0; row < batch->row_count; row++)
        if (filter->words[row] <= filter->bounds[filter->ids[row]])
            ORIEL_TRY(take(filter, positions, row, error));
    ORIEL_TRY(oriel_top_filter_store(filter, batch->row_count, error));
    filter->pending_count = 0;
    return filter->store.row_count > 2 * filter->live_count + WASTE_ROWS ? compact(filter, error)
                                                                         : ORIEL_OK;
}
