/*
 * One worker's groups: what all forms share.
 */
#include "engine/exec/aggregate_radix.h"

#include <string.h>

#include "kernels/kernels.h"

enum { GROUPS_FIRST = 1024, SLICES_FIRST = 64 };

static void release(const struct aggregate_store *store, void *block, size_t count, size_t size) {
    oriel_memory_release(store->layout->runtime->memory, block, count * size);
}

/* The most that a piece can have. */
static size_t piece_columns(const struct aggregate_layout *layout) {
    const uint32_t lead = aggregate_piece_lead(layout), keyed = aggregate_keyed_lead(layout);
    return (size_t)(lead > keyed ? lead : keyed) + aggregate_state_words(layout);
}

static enum oriel_status allocate_batch_room(struct aggregate_store *store,
                                             struct oriel_error *error) {
    const struct aggregate_layout *layout = store->layout;
    struct oriel_memory *memory = layout->runtime->memory;
    const size_t rows = layout->runtime->batch_rows;
    const size_t words = oriel_bits_word_count(rows);
    const size_t columns = piece_columns(layout);
    store->times = oriel_memory_allocate_zeroed(memory, rows, sizeof(int64_t));
    store->slice_starts = oriel_memory_allocate_zeroed(memory, rows, sizeof(int64_t));
    store->key_ids = oriel_memory_allocate_zeroed(memory, rows, sizeof(uint32_t));
    store->groups = oriel_memory_allocate_zeroed(memory, rows, sizeof(uint32_t));
    store->rows = oriel_memory_allocate_zeroed(memory, words, sizeof(uint64_t));
    store->window_rows = oriel_memory_allocate_zeroed(memory, words, sizeof(uint64_t));
    store->no_rows = oriel_memory_allocate_zeroed(memory, words, sizeof(uint64_t));
    store->set_ordinals = oriel_memory_allocate_zeroed(memory, rows, sizeof(int32_t));
    store->key_columns = oriel_memory_allocate_zeroed(memory, layout->key_schema.field_count + 1u,
                                                      sizeof *store->key_columns);
    store->piece_columns =
        oriel_memory_allocate_zeroed(memory, columns, sizeof *store->piece_columns);
    store->piece_words =
        oriel_memory_allocate(memory, columns * AGGREGATE_PIECE_ROWS * sizeof(uint64_t));
    if (!store->times || !store->slice_starts || !store->key_ids || !store->groups ||
        !store->rows || !store->window_rows || !store->no_rows || !store->set_ordinals ||
        !store->key_columns || !store->piece_columns || !store->piece_words)
        return oriel_error_memory(error);
    return ORIEL_OK;
}

static void release_batch_room(struct aggregate_store *store) {
    const struct aggregate_layout *layout = store->layout;
    const size_t rows = layout->runtime->batch_rows;
    const size_t words = oriel_bits_word_count(rows);
    const size_t columns = piece_columns(layout);
    release(store, store->times, rows, sizeof(int64_t));
    release(store, store->slice_starts, rows, sizeof(int64_t));
    release(store, store->key_ids, rows, sizeof(uint32_t));
    release(store, store->groups, rows, sizeof(uint32_t));
    release(store, store->rows, words, sizeof(uint64_t));
    release(store, store->window_rows, words, sizeof(uint64_t));
    release(store, store->no_rows, words, sizeof(uint64_t));
    release(store, store->set_ordinals, rows, sizeof(int32_t));
    release(store, store->key_columns, layout->key_schema.field_count + 1u,
            sizeof *store->key_columns);
    release(store, store->piece_columns, columns, sizeof *store->piece_columns);
    release(store, store->piece_words, columns * AGGREGATE_PIECE_ROWS, sizeof(uint64_t));
}

enum oriel_status aggregate_store_open(struct aggregate_store *store,
                                       const struct aggregate_layout *layout,
                                       struct oriel_error *error) {
    *store = (struct aggregate_store){.layout = layout, .current_slice = AGGREGATE_NO_SLICE};
    oriel_arena_init(&store->arena, layout->runtime->memory);
    oriel_arena_init(&store->pieces_arena, layout->runtime->memory);
    const bool session = aggregate_is_session(layout);
    store->form = session                                   ? AGGREGATE_SESSION
                  : layout->strategy == ORIEL_STRATEGY_HASH ? AGGREGATE_HASHED
                                                            : AGGREGATE_DENSE;
    if (layout->strategy == ORIEL_STRATEGY_RADIX && layout->may_radix)
        aggregate_radix_open(store);
    store->arrays[AGGREGATE_STATES].item_bytes = layout->stride_bytes;
    store->arrays[AGGREGATE_KEYS].item_bytes = session ? 0 : sizeof(uint32_t);
    store->arrays[AGGREGATE_SLICES].item_bytes = session ? 0 : sizeof(uint32_t);
    store->arrays[AGGREGATE_FREE_SLOTS].item_bytes = session ? sizeof(uint32_t) : 0;
    store->open_array.item_bytes = sizeof(struct aggregate_open_session);
    store->closed.words_array.item_bytes = sizeof(uint64_t);
    store->closed.slots_array.item_bytes = sizeof(uint32_t);
    store->order_keys.item_bytes = sizeof(uint64_t);
    store->order_rows.item_bytes = sizeof(uint32_t);
    store->stretches.item_bytes = sizeof(struct aggregate_stretch);
    if (aggregate_has_keys(layout)) {
        ORIEL_TRY(oriel_key_table_init(&store->keys, layout->runtime, layout->key_schema, error));
        store->keys_open = true;
    }
    return allocate_batch_room(store, error);
}

void aggregate_store_close(struct aggregate_store *store) {
    if (!store->layout)
        return;
    release(store, store->slices, store->slice_capacity, sizeof *store->slices);
    release(store, store->slice_slots, store->slice_slot_count, sizeof(uint32_t));
    aggregate_dense_release(store);
    for (unsigned i = 0; i < AGGREGATE_ARRAYS; i++)
        aggregate_array_release(store, &store->arrays[i]);
    aggregate_array_release(store, &store->open_array);
    aggregate_array_release(store, &store->closed.words_array);
    aggregate_array_release(store, &store->closed.slots_array);
    aggregate_array_release(store, &store->order_keys);
    aggregate_array_release(store, &store->order_rows);
    aggregate_array_release(store, &store->stretches);
    release(store, store->pair_slots, store->pair_slot_count, sizeof(uint64_t));
    release_batch_room(store);
    if (store->keys_open)
        oriel_key_table_deinit(&store->keys);
    oriel_arena_deinit(&store->pieces_arena);
    oriel_arena_deinit(&store->arena);
    *store = (struct aggregate_store){0};
}

enum oriel_status aggregate_array_grow(const struct aggregate_store *store,
                                       struct aggregate_array *array, size_t count,
                                       struct oriel_error *error) {
    const size_t size = count * array->item_bytes;
    if (size <= array->size_bytes)
        return ORIEL_OK;
    void *grown = oriel_memory_resize_zeroed(store->layout->runtime->memory, array->items,
                                             array->size_bytes, size);
    if (!grown)
        return oriel_error_memory(error);
    array->items = grown;
    array->size_bytes = size;
    return ORIEL_OK;
}

void aggregate_array_release(const struct aggregate_store *store, struct aggregate_array *array) {
    oriel_memory_release(store->layout->runtime->memory, array->items, array->size_bytes);
    array->items = NULL;
    array->size_bytes = 0;
}

enum oriel_status aggregate_store_grow_groups(struct aggregate_store *store,
                                              struct oriel_error *error) {
    const uint32_t old = store->group_capacity;
    if (old >= UINT32_MAX / 2)
        return oriel_error_set(error, ORIEL_MEMORY, "more than 2^31 groups in one worker");
    const uint32_t capacity = old ? old * 2 : GROUPS_FIRST;
    for (unsigned i = 0; i < AGGREGATE_ARRAYS; i++)
        ORIEL_TRY(aggregate_array_grow(store, &store->arrays[i], capacity, error));
    store->states = store->arrays[AGGREGATE_STATES].items;
    store->group_keys = store->arrays[AGGREGATE_KEYS].items;
    store->group_slices = store->arrays[AGGREGATE_SLICES].items;
    store->free_slots = store->arrays[AGGREGATE_FREE_SLOTS].items;
    store->group_capacity = capacity;
    return ORIEL_OK;
}

static uint32_t slice_slot(const struct aggregate_store *store, int64_t start_ms) {
    const uint32_t mask = store->slice_slot_count - 1;
    const uint64_t hash = (uint64_t)start_ms * UINT64_C(0x9E3779B97F4A7C15);
    uint32_t at = (uint32_t)(hash >> 40) & mask;
    while (store->slice_slots[at] && store->slices[store->slice_slots[at] - 1].start_ms != start_ms)
        at = (at + 1) & mask;
    return at;
}

uint32_t aggregate_store_slice_at(const struct aggregate_store *store, int64_t start_ms) {
    if (!store->slice_slot_count)
        return AGGREGATE_NO_SLICE;
    const uint32_t entry = store->slice_slots[slice_slot(store, start_ms)];
    return entry ? entry - 1 : AGGREGATE_NO_SLICE;
}

static enum oriel_status grow_slices(struct aggregate_store *store, struct oriel_error *error) {
    struct oriel_memory *memory = store->layout->runtime->memory;
    if (store->slice_capacity >= UINT32_MAX / 8)
        return oriel_error_set(error, ORIEL_MEMORY, "more than 2^29 slices in one worker");
    const uint32_t capacity = store->slice_capacity ? store->slice_capacity * 2 : SLICES_FIRST;
    const uint32_t slot_count = capacity * 4;
    uint32_t *slots = oriel_memory_allocate_zeroed(memory, slot_count, sizeof *slots);
    if (!slots)
        return oriel_error_memory(error);
    struct aggregate_slice *slices = oriel_memory_resize(
        memory, store->slices, store->slice_capacity * sizeof *slices, capacity * sizeof *slices);
    if (!slices) {
        oriel_memory_release(memory, slots, slot_count * sizeof *slots);
        return oriel_error_memory(error);
    }
    release(store, store->slice_slots, store->slice_slot_count, sizeof(uint32_t));
    store->slices = slices;
    store->slice_slots = slots;
    store->slice_slot_count = slot_count;
    store->slice_capacity = capacity;
    for (uint32_t s = 0; s < store->slice_count; s++)
        store->slice_slots[slice_slot(store, store->slices[s].start_ms)] = s + 1;
    return ORIEL_OK;
}

enum oriel_status aggregate_store_slice_of(struct aggregate_store *store, int64_t start_ms,
                                           uint32_t *slice, struct oriel_error *error) {
    *slice = aggregate_store_slice_at(store, start_ms);
    if (*slice != AGGREGATE_NO_SLICE)
        return ORIEL_OK;
    if (store->slice_count == store->slice_capacity)
        ORIEL_TRY(grow_slices(store, error));
    *slice = store->slice_count++;
    store->slices[*slice] =
        (struct aggregate_slice){.start_ms = start_ms, .block = AGGREGATE_NO_BLOCK};
    store->slice_slots[slice_slot(store, start_ms)] = *slice + 1;
    return ORIEL_OK;
}

size_t aggregate_store_growth(const struct aggregate_store *store, size_t row_count) {
    const struct aggregate_layout *layout = store->layout;
    const struct aggregate_blocks *blocks = &store->blocks;
    size_t growth = 0;
    if (store->form == AGGREGATE_DENSE) {
        const size_t keys = store->keys_open ? store->keys.key_count : 1;
        if (blocks->count == blocks->capacity || keys + row_count > blocks->block_keys)
            growth +=
                2 * (size_t)blocks->capacity * blocks->block_keys * (layout->stride_bytes + 1);
    } else if (store->form == AGGREGATE_SESSION) {
        if (store->free_count < row_count)
            growth += 2 * (size_t)store->group_capacity * (layout->stride_bytes + sizeof(uint32_t));
        if (store->keys_open && store->keys.key_count + row_count > store->open_capacity)
            growth += 2 * (size_t)store->open_capacity * sizeof *store->open_sessions;
    } else if (store->group_count + row_count > store->group_capacity) {
        growth += 2 * (size_t)store->group_capacity * (layout->stride_bytes + 32);
    }
    if (store->keys_open && store->keys.key_count + row_count > store->keys.hash_capacity)
        growth += 2 * oriel_key_table_bytes(&store->keys);
    return growth;
}

void aggregate_store_floor(struct aggregate_store *store, const int64_t *times, size_t row_count) {
    const struct aggregate_layout *layout = store->layout;
    layout->runtime->kernels->floor_i64(times, row_count, layout->slice_ms, layout->slice_offset_ms,
                                        store->slice_starts);
}

enum oriel_status aggregate_store_find_slices(struct aggregate_store *store, const int64_t *times,
                                              const uint64_t *rows, size_t row_count,
                                              struct oriel_error *error) {
    store->batch_number++;
    if (store->form == AGGREGATE_DENSE) {
        bool sparse = false;
        ORIEL_TRY(aggregate_dense_find(store, times, rows, row_count, &sparse, error));
        if (!sparse)
            return ORIEL_OK;
        if (store->layout->may_radix && !store->one_by_one &&
            store->keys.key_count > AGGREGATE_MANY_KEYS) {
            ORIEL_TRY(aggregate_radix_begin(store, error));
            ORIEL_TRY(oriel_key_table_map(&store->keys, store->key_columns, row_count,
                                          store->key_ids, error));
        } else {
            ORIEL_TRY(aggregate_dense_leave(store, error));
            store->form = AGGREGATE_HASHED;
        }
    } else if (times) {
        aggregate_store_floor(store, times, row_count);
    }
    return store->loose_rounds ? aggregate_radix_take_rows(store, rows, row_count, error)
                               : aggregate_hashed_find(store, rows, row_count, error);
}
