/*
 * The bounded heaps of Top-N and deduplication. Most rows end at one comparison: the word of their
 * first order item against the bound of their partition.
 */
#include "engine/exec/top_filter.h"

#include <string.h>

#include "engine/exec/row_key.h"

enum { FIRST_HEAPS = 256, WASTE_ROWS = 4096 };

struct entry {
    uint64_t word; /* of the first order item */
    int64_t position;
    uint64_t row; /* in the store, or store.row_count + k for the k-th pending row */
};

/* The worst entry comes first. */
struct oriel_top_heap {
    struct entry *entries;
    uint32_t count, capacity;
};

/* A batch with what is needed to compare its rows. */
struct offer {
    const struct oriel_batch *batch;
    const int64_t *positions;
};

static enum oriel_status open_keys(struct oriel_top_filter *filter, struct oriel_error *error) {
    const uint32_t count = filter->plan->rank.partition_count;
    if (count == 0)
        return ORIEL_OK;
    struct oriel_field *fields = oriel_arena_allocate_zeroed(&filter->arena, count, sizeof *fields);
    if (!fields)
        return oriel_error_memory(error);
    for (uint32_t k = 0; k < count; k++)
        fields[k] = filter->schema.fields[filter->plan->rank.partition[k]];
    return oriel_key_table_init(&filter->keys, filter->runtime,
                                (struct oriel_schema){count, fields}, error);
}

static enum oriel_status open_parts(struct oriel_top_filter *filter, struct oriel_error *error) {
    const struct oriel_plan *plan = filter->plan;
    struct oriel_arena *arena = &filter->arena;
    const size_t rows = filter->runtime->batch_rows;
    filter->ids = oriel_arena_allocate_zeroed(arena, rows, sizeof *filter->ids);
    filter->words = oriel_arena_allocate_zeroed(arena, rows * 3, sizeof *filter->words);
    filter->pending = oriel_arena_allocate_zeroed(arena, rows, sizeof *filter->pending);
    filter->key_columns =
        oriel_arena_allocate_zeroed(arena, plan->rank.partition_count, sizeof *filter->key_columns);
    if (!filter->ids || !filter->words || !filter->pending || !filter->key_columns)
        return oriel_error_memory(error);
    ORIEL_TRY(oriel_sort_layout_make(&filter->first_item, arena, filter->schema, plan->rank.items,
                                     plan->rank.item_count ? 1 : 0, error));
    /* a flag and a value are joined in one word, which loses a bit */
    filter->first_decides =
        plan->rank.item_count == 0 || (plan->rank.item_count == 1 && filter->first_item.exact &&
                                       filter->first_item.word_count == 1);
    return open_keys(filter, error);
}

enum oriel_status oriel_top_filter_init(struct oriel_top_filter *filter,
                                        const struct oriel_runtime *runtime,
                                        const struct oriel_plan *plan, struct oriel_schema schema,
                                        struct oriel_error *error) {
    *filter = (struct oriel_top_filter){.runtime = runtime, .plan = plan, .schema = schema};
    oriel_arena_init(&filter->arena, runtime->memory);
    oriel_arena_init(&filter->heap_arena, runtime->memory);
    oriel_table_init(&filter->store, runtime->memory, schema);
    const enum oriel_status status = open_parts(filter, error);
    if (status != ORIEL_OK)
        oriel_top_filter_deinit(filter);
    return status;
}

static void release_heaps(struct oriel_top_filter *filter) {
    struct oriel_memory *memory = filter->runtime->memory;
    oriel_memory_release(memory, filter->heaps, filter->heap_capacity * sizeof *filter->heaps);
    oriel_memory_release(memory, filter->bounds, filter->heap_capacity * sizeof *filter->bounds);
    filter->heaps = NULL;
    filter->bounds = NULL;
    filter->heap_count = filter->heap_capacity = 0;
    oriel_arena_deinit(&filter->heap_arena);
}

void oriel_top_filter_deinit(struct oriel_top_filter *filter) {
    if (!filter->runtime)
        return;
    release_heaps(filter);
    oriel_key_table_deinit(&filter->keys);
    oriel_table_deinit(&filter->store);
    oriel_arena_deinit(&filter->arena);
    *filter = (struct oriel_top_filter){0};
}

enum oriel_status oriel_top_filter_clear(struct oriel_top_filter *filter,
                                         struct oriel_error *error) {
    const struct oriel_runtime *runtime = filter->runtime;
    const struct oriel_plan *plan = filter->plan;
    const struct oriel_schema schema = filter->schema;
    oriel_top_filter_deinit(filter);
    return oriel_top_filter_init(filter, runtime, plan, schema, error);
}

/* words[i] = one word that is in the order of the first item, though not always exact. */
static void encode_first(struct oriel_top_filter *filter, const struct oriel_batch *batch) {
    const size_t stride = filter->first_item.word_count;
    oriel_sort_encode(&filter->first_item, batch->columns, NULL, 0, batch->row_count,
                      filter->words);
    if (stride == 1)
        return;
    const bool flag = filter->first_item.parts[0].flag;
    for (size_t i = 0; i < batch->row_count; i++) {
        const uint64_t *words = filter->words + i * stride;
        filter->words[i] = flag ? words[0] << 63 | words[1] >> 1 : words[0];
    }
}

static enum oriel_status find_partitions(struct oriel_top_filter *filter,
                                         const struct oriel_batch *batch,
                                         struct oriel_error *error) {
    const uint32_t count = filter->plan->rank.partition_count;
    struct oriel_memory *memory = filter->runtime->memory;
    uint32_t needed = 1;
    if (count == 0) {
        memset(filter->ids, 0, batch->row_count * sizeof *filter->ids);
    } else {
        for (uint32_t k = 0; k < count; k++)
            filter->key_columns[k] = batch->columns[filter->plan->rank.partition[k]];
        ORIEL_TRY(oriel_key_table_map(&filter->keys, filter->key_columns, batch->row_count,
                                      filter->ids, error));
        needed = filter->keys.key_count;
    }
    if (needed > filter->heap_capacity) {
        uint32_t capacity = filter->heap_capacity ? filter->heap_capacity : FIRST_HEAPS;
        while (capacity < needed)
            capacity = capacity > UINT32_MAX / 2 ? needed : capacity * 2;
        struct oriel_top_heap *heaps = oriel_memory_resize(
            memory, filter->heaps, filter->heap_capacity * sizeof *heaps, capacity * sizeof *heaps);
        if (!heaps)
            return oriel_error_memory(error);
        filter->heaps = heaps;
        uint64_t *bounds =
            oriel_memory_resize(memory, filter->bounds, filter->heap_capacity * sizeof *bounds,
                                capacity * sizeof *bounds);
        if (!bounds) {
            /* back to the capacity that both have */
            oriel_memory_release(memory, filter->bounds, filter->heap_capacity * sizeof *bounds);
            filter->bounds = NULL;
            oriel_memory_release(memory, heaps, capacity * sizeof *heaps);
            filter->heaps = NULL;
            filter->heap_count = filter->heap_capacity = 0;
            return oriel_error_memory(error);
        }
        filter->bounds = bounds;
        filter->heap_capacity = capacity;
    }
    for (; filter->heap_count < needed; filter->heap_count++) {
        filter->heaps[filter->heap_count] = (struct oriel_top_heap){0};
        filter->bounds[filter->heap_count] = UINT64_MAX;
    }
    return ORIEL_OK;
}

static const struct oriel_column *place_of(const struct oriel_top_filter *filter,
                                           const struct offer *offer, uint64_t row, size_t *at) {
    if (row < filter->store.row_count) {
        *at = (size_t)row;
        return filter->store.columns;
    }
    *at = filter->pending[row - filter->store.row_count];
    return offer->batch->columns;
}

/* Whether `a` comes before `b` in the ranking. */
static bool is_before(const struct oriel_top_filter *filter, const struct offer *offer,
                      const struct entry *a, const struct entry *b) {
    if (a->word != b->word)
        return a->word < b->word;
    if (!filter->first_decides) {
        size_t row_a, row_b;
        const struct oriel_column *columns_a = place_of(filter, offer, a->row, &row_a);
        const struct oriel_column *columns_b = place_of(filter, offer, b->row, &row_b);
        const int order =
            oriel_row_key_order(columns_a, row_a, columns_b, row_b, filter->plan->rank.items,
                                filter->plan->rank.item_count);
        if (order)
            return order < 0;
    }
    return filter->plan->rank.last_of_equals ? a->position > b->position
                                             : a->position < b->position;
}

static void sift_up(const struct oriel_top_filter *filter, const struct offer *offer,
                    struct oriel_top_heap *heap, uint32_t at) {
    struct entry *entries = heap->entries;
    const struct entry moved = entries[at];
    while (at > 0) {
        const uint32_t parent = (at - 1) / 2;
        if (!is_before(filter, offer, &entries[parent], &moved))
            break;
        entries[at] = entries[parent];
        at = parent;
    }
    entries[at] = moved;
}

static void sift_down(const struct oriel_top_filter *filter, const struct offer *offer,
                      struct oriel_top_heap *heap) {
    struct entry *entries = heap->entries;
    const struct entry moved = entries[0];
    uint32_t at = 0;
    for (;;) {
        uint32_t child = at * 2 + 1;
        if (child >= heap->count)
            break;
        if (child + 1 < heap->count &&
            is_before(filter, offer, &entries[child], &entries[child + 1]))
            child++;
        if (!is_before(filter, offer, &moved, &entries[child]))
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
    struct entry *entries = oriel_arena_allocate(&filter->heap_arena, capacity * sizeof *entries);
    if (!entries)
        return oriel_error_memory(error);
    if (heap->count)
        memcpy(entries, heap->entries, heap->count * sizeof *entries);
    heap->entries = entries;
    heap->capacity = capacity;
    return ORIEL_OK;
}

/* A row that its partition's bound did not exclude. */
static enum oriel_status take(struct oriel_top_filter *filter, const struct offer *offer,
                              uint32_t row, struct oriel_error *error) {
    const uint32_t id = filter->ids[row];
    struct oriel_top_heap *heap = &filter->heaps[id];
    struct entry entry = {filter->words[row], offer->positions[row],
                          filter->store.row_count + filter->pending_count};
    filter->pending[filter->pending_count] = row;
    if (heap->count < (uint64_t)filter->plan->rank.high) {
        ORIEL_TRY(make_room(filter, heap, error));
        heap->entries[heap->count++] = entry;
        filter->pending_count++;
        filter->live_count++;
        sift_up(filter, offer, heap, heap->count - 1);
    } else {
        if (!is_before(filter, offer, &entry, &heap->entries[0]))
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
        sift_down(filter, offer, heap);
    }
    if (heap->count == (uint64_t)filter->plan->rank.high)
        filter->bounds[id] = heap->entries[0].word;
    return ORIEL_OK;
}

/* Drops dead rows from the store. */
static enum oriel_status compact(struct oriel_top_filter *filter, struct oriel_error *error) {
    struct oriel_memory *memory = filter->runtime->memory;
    const size_t count = filter->live_count;
    uint32_t *rows = oriel_memory_allocate(memory, count * sizeof *rows);
    if (!rows)
        return oriel_error_memory(error);
    struct oriel_top_walk walk = {0};
    oriel_top_filter_kept(filter, &walk, rows, count);
    struct oriel_table kept;
    oriel_table_init(&kept, memory, filter->schema);
    const struct oriel_batch batch = {.row_count = filter->store.row_count,
                                      .column_count = filter->schema.field_count,
                                      .columns = filter->store.columns};
    const enum oriel_status status = oriel_table_append(&kept, &batch, rows, 0, count, error);
    oriel_memory_release(memory, rows, count * sizeof *rows);
    if (status != ORIEL_OK) {
        oriel_table_deinit(&kept);
        return status;
    }
    size_t at = 0;
    for (uint32_t id = 0; id < filter->heap_count; id++)
        for (uint32_t i = 0; i < filter->heaps[id].count; i++)
            filter->heaps[id].entries[i].row = at++;
    oriel_table_deinit(&filter->store);
    filter->store = kept;
    return ORIEL_OK;
}

enum oriel_status oriel_top_filter_push(struct oriel_top_filter *filter,
                                        const struct oriel_batch *batch,
                                        struct oriel_error *error) {
    if (filter->plan->rank.high <= 0)
        return ORIEL_OK;
    const struct offer offer = {batch, batch->columns[batch->column_count - 1].values};
    ORIEL_TRY(find_partitions(filter, batch, error));
    encode_first(filter, batch);
    filter->pending_count = 0;
    for (uint32_t row = 0; row < batch->row_count; row++)
        if (filter->words[row] <= filter->bounds[filter->ids[row]])
            ORIEL_TRY(take(filter, &offer, row, error));
    ORIEL_TRY(oriel_table_append(&filter->store, batch, filter->pending, 0, filter->pending_count,
                                 error));
    filter->pending_count = 0;
    if (filter->store.row_count > 2 * filter->live_count + WASTE_ROWS)
        return compact(filter, error);
    return ORIEL_OK;
}

size_t oriel_top_filter_bytes(const struct oriel_top_filter *filter) {
    size_t bytes = filter->store.arena.total_bytes + filter->heap_arena.total_bytes +
                   filter->heap_capacity * (sizeof *filter->heaps + sizeof *filter->bounds);
    for (uint32_t i = 0; i < filter->schema.field_count; i++)
        bytes += filter->store.capacity *
                 oriel_physical_size(oriel_type_physical(&filter->schema.fields[i].type));
    return filter->keys.memory ? bytes + oriel_key_table_bytes(&filter->keys) : bytes;
}

size_t oriel_top_filter_kept(const struct oriel_top_filter *filter, struct oriel_top_walk *walk,
                             uint32_t *rows, size_t capacity) {
    size_t count = 0;
    for (; walk->heap < filter->heap_count; walk->heap++, walk->entry = 0)
        for (; walk->entry < filter->heaps[walk->heap].count; walk->entry++) {
            if (count == capacity)
                return count;
            rows[count++] = (uint32_t)filter->heaps[walk->heap].entries[walk->entry].row;
        }
    return count;
}
