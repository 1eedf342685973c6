/*
 * One worker's groups: the step from key id and slice to the states of a group.
 */
#include "engine/exec/aggregate_store.h"

#include <string.h>

enum {
    GROUPS_FIRST = 1024,
    SLICES_FIRST = 64,
    SLOTS_FIRST = 256,
    DENSE_FREE_ENTRIES = 4 << 20, /* arrays of this size altogether are never too many */
    DENSE_SPARSITY = 8,           /* beyond, at least one entry in eight must be a group */
};

static uint64_t mix(uint64_t value) {
    value *= UINT64_C(0x9E3779B97F4A7C15);
    return value ^ (value >> 32);
}

static enum oriel_status grow_array(struct oriel_memory *memory, void **array, size_t old_count,
                                    size_t count, size_t size, struct oriel_error *error) {
    void *grown = oriel_memory_resize(memory, *array, old_count * size, count * size);
    if (!grown)
        return oriel_error_memory(error);
    *array = grown;
    return ORIEL_OK;
}

#define GROW(memory, array, old_count, count, error)                                               \
    grow_array((memory), (void **)(array), (old_count), (count), sizeof **(array), (error))

static void release(struct aggregate_store *store, void *block, size_t count, size_t size) {
    oriel_memory_release(store->layout->runtime->memory, block, count * size);
}

static enum oriel_status allocate_batch_room(struct aggregate_store *store,
                                             struct oriel_error *error) {
    struct oriel_memory *memory = store->layout->runtime->memory;
    const size_t rows = store->layout->runtime->batch_rows;
    store->times = oriel_memory_allocate_zeroed(memory, rows, sizeof(int64_t));
    store->slice_starts = oriel_memory_allocate_zeroed(memory, rows, sizeof(int64_t));
    store->key_ids = oriel_memory_allocate_zeroed(memory, rows, sizeof(uint32_t));
    store->groups = oriel_memory_allocate_zeroed(memory, rows, sizeof(uint32_t));
    store->rows =
        oriel_memory_allocate_zeroed(memory, oriel_bits_word_count(rows), sizeof(uint64_t));
    store->no_rows =
        oriel_memory_allocate_zeroed(memory, oriel_bits_word_count(rows), sizeof(uint64_t));
    store->set_ordinals = oriel_memory_allocate_zeroed(memory, rows, sizeof(int32_t));
    store->key_columns = oriel_memory_allocate_zeroed(
        memory, store->layout->key_schema.field_count + 1u, sizeof *store->key_columns);
    if (!store->times || !store->slice_starts || !store->key_ids || !store->groups ||
        !store->rows || !store->no_rows || !store->set_ordinals || !store->key_columns)
        return oriel_error_memory(error);
    return ORIEL_OK;
}

enum oriel_status aggregate_store_open(struct aggregate_store *store,
                                       const struct aggregate_layout *layout,
                                       struct oriel_error *error) {
    *store = (struct aggregate_store){.layout = layout, .current_slice = AGGREGATE_NO_SLICE};
    oriel_arena_init(&store->arena, layout->runtime->memory);
    const bool session = aggregate_is_session(layout);
    store->arrays[AGGREGATE_STATES].item_bytes = layout->stride_bytes;
    store->arrays[AGGREGATE_KEYS].item_bytes = sizeof(uint32_t);
    store->arrays[AGGREGATE_SLICES].item_bytes = session ? 0 : sizeof(uint32_t);
    store->arrays[AGGREGATE_FIRST_TIMES].item_bytes = session ? sizeof(int64_t) : 0;
    store->arrays[AGGREGATE_LAST_TIMES].item_bytes = session ? sizeof(int64_t) : 0;
    if (aggregate_has_keys(layout)) {
        ORIEL_TRY(oriel_key_table_init(&store->keys, layout->runtime, layout->key_schema, error));
        store->keys_open = true;
    }
    return allocate_batch_room(store, error);
}

void aggregate_store_close(struct aggregate_store *store) {
    if (!store->layout)
        return;
    const struct aggregate_layout *layout = store->layout;
    const size_t rows = layout->runtime->batch_rows;
    for (uint32_t s = 0; s < store->slice_count; s++)
        release(store, store->slices[s].group_of_key, store->slices[s].key_capacity,
                sizeof(uint32_t));
    release(store, store->slices, store->slice_capacity, sizeof *store->slices);
    release(store, store->slice_slots, store->slice_slot_count, sizeof(uint32_t));
    for (unsigned i = 0; i < AGGREGATE_ARRAYS; i++)
        release(store, store->arrays[i].items, store->arrays[i].size_bytes, 1);
    release(store, store->pair_slots, store->pair_slot_count, sizeof(uint64_t));
    release(store, store->open_sessions, store->open_capacity, sizeof(uint32_t));
    release(store, store->times, rows, sizeof(int64_t));
    release(store, store->slice_starts, rows, sizeof(int64_t));
    release(store, store->key_ids, rows, sizeof(uint32_t));
    release(store, store->groups, rows, sizeof(uint32_t));
    release(store, store->rows, oriel_bits_word_count(rows), sizeof(uint64_t));
    release(store, store->no_rows, oriel_bits_word_count(rows), sizeof(uint64_t));
    release(store, store->set_ordinals, rows, sizeof(int32_t));
    release(store, store->key_columns, layout->key_schema.field_count + 1u,
            sizeof *store->key_columns);
    if (store->keys_open)
        oriel_key_table_deinit(&store->keys);
    oriel_arena_deinit(&store->arena);
    *store = (struct aggregate_store){0};
}

static enum oriel_status grow_groups(struct aggregate_store *store, struct oriel_error *error) {
    const uint32_t old = store->group_capacity;
    if (old >= UINT32_MAX / 2)
        return oriel_error_set(error, ORIEL_MEMORY, "more than 2^31 groups in one worker");
    const uint32_t capacity = old ? old * 2 : GROUPS_FIRST;
    struct oriel_memory *memory = store->layout->runtime->memory;
    for (unsigned i = 0; i < AGGREGATE_ARRAYS; i++) {
        struct aggregate_array *array = &store->arrays[i];
        if (!array->item_bytes)
            continue;
        void *grown = oriel_memory_resize(memory, array->items, array->size_bytes,
                                          capacity * array->item_bytes);
        if (!grown)
            return oriel_error_memory(error);
        array->items = grown;
        array->size_bytes = capacity * array->item_bytes;
    }
    store->states = store->arrays[AGGREGATE_STATES].items;
    store->group_keys = store->arrays[AGGREGATE_KEYS].items;
    store->group_slices = store->arrays[AGGREGATE_SLICES].items;
    store->session_first_ms = store->arrays[AGGREGATE_FIRST_TIMES].items;
    store->session_last_ms = store->arrays[AGGREGATE_LAST_TIMES].items;
    store->group_capacity = capacity;
    return ORIEL_OK;
}

static enum oriel_status add_group(struct aggregate_store *store, uint32_t key, uint32_t *group,
                                   struct oriel_error *error) {
    if (store->group_count == store->group_capacity)
        ORIEL_TRY(grow_groups(store, error));
    *group = store->group_count++;
    store->group_keys[*group] = key;
    memset(store->states + *group * store->layout->stride_bytes, 0, store->layout->stride_bytes);
    return ORIEL_OK;
}

static uint32_t slice_slot(const struct aggregate_store *store, int64_t start_ms) {
    const uint32_t mask = store->slice_slot_count - 1;
    uint32_t at = (uint32_t)mix((uint64_t)start_ms /
                                (store->layout->slice_ms ? (uint64_t)store->layout->slice_ms : 1)) &
                  mask;
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
    const uint32_t capacity = store->slice_capacity ? store->slice_capacity * 2 : SLICES_FIRST;
    const uint32_t slot_count = capacity * 4;
    uint32_t *slots = oriel_memory_allocate_zeroed(memory, slot_count, sizeof *slots);
    if (!slots)
        return oriel_error_memory(error);
    const enum oriel_status status =
        GROW(memory, &store->slices, store->slice_capacity, capacity, error);
    if (status != ORIEL_OK) {
        oriel_memory_release(memory, slots, slot_count * sizeof *slots);
        return status;
    }
    release(store, store->slice_slots, store->slice_slot_count, sizeof(uint32_t));
    store->slice_slots = slots;
    store->slice_slot_count = slot_count;
    store->slice_capacity = capacity;
    for (uint32_t s = 0; s < store->slice_count; s++)
        store->slice_slots[slice_slot(store, store->slices[s].start_ms)] = s + 1;
    return ORIEL_OK;
}

static enum oriel_status slice_of(struct aggregate_store *store, int64_t start_ms, uint32_t *slice,
                                  struct oriel_error *error) {
    *slice = aggregate_store_slice_at(store, start_ms);
    if (*slice != AGGREGATE_NO_SLICE)
        return ORIEL_OK;
    if (store->slice_count == store->slice_capacity)
        ORIEL_TRY(grow_slices(store, error));
    *slice = store->slice_count++;
    store->slices[*slice] = (struct aggregate_slice){.start_ms = start_ms};
    store->slice_slots[slice_slot(store, start_ms)] = *slice + 1;
    return ORIEL_OK;
}

static size_t pair_slot(const struct aggregate_store *store, uint32_t slice, uint32_t key,
                        uint64_t hash) {
    const size_t mask = store->pair_slot_count - 1;
    size_t at = hash & mask;
    while (store->pair_slots[at]) {
        const uint32_t group = (uint32_t)store->pair_slots[at] - 1;
        if (store->pair_slots[at] >> 32 == hash >> 32 && store->group_keys[group] == key &&
            store->group_slices[group] == slice)
            break;
        at = (at + 1) & mask;
    }
    return at;
}

static uint64_t pair_hash(uint32_t slice, uint32_t key) {
    const uint64_t hash = mix((uint64_t)slice << 32 | key);
    return mix(hash ^ (hash >> 29));
}

static enum oriel_status grow_pairs(struct aggregate_store *store, struct oriel_error *error) {
    size_t slot_count = store->pair_slot_count ? store->pair_slot_count * 2 : SLOTS_FIRST;
    while (slot_count < (size_t)store->group_count * 2)
        slot_count *= 2;
    uint64_t *slots =
        oriel_memory_allocate_zeroed(store->layout->runtime->memory, slot_count, sizeof *slots);
    if (!slots)
        return oriel_error_memory(error);
    release(store, store->pair_slots, store->pair_slot_count, sizeof(uint64_t));
    store->pair_slots = slots;
    store->pair_slot_count = slot_count;
    for (uint32_t g = 0; g < store->group_count; g++) {
        const uint64_t hash = pair_hash(store->group_slices[g], store->group_keys[g]);
        size_t at = hash & (slot_count - 1);
        while (slots[at])
            at = (at + 1) & (slot_count - 1);
        slots[at] = (hash & ~UINT64_C(0xFFFFFFFF)) | (g + 1);
    }
    return ORIEL_OK;
}

/* From arrays to the hash table, for good. */
static enum oriel_status make_sparse(struct aggregate_store *store, struct oriel_error *error) {
    ORIEL_TRY(grow_pairs(store, error));
    for (uint32_t s = 0; s < store->slice_count; s++) {
        release(store, store->slices[s].group_of_key, store->slices[s].key_capacity,
                sizeof(uint32_t));
        store->slices[s].group_of_key = NULL;
        store->slices[s].key_capacity = 0;
    }
    store->sparse = true;
    return ORIEL_OK;
}

static enum oriel_status grow_dense(struct aggregate_store *store, struct aggregate_slice *slice,
                                    uint32_t key, struct oriel_error *error) {
    uint32_t capacity = slice->key_capacity ? slice->key_capacity : 8;
    const uint32_t wanted = store->keys_open ? store->keys.key_count : key + 1;
    while (capacity < wanted || capacity <= key)
        capacity = capacity > UINT32_MAX / 2 ? UINT32_MAX : capacity * 2;
    const size_t entries = store->dense_entries + capacity - slice->key_capacity;
    if (store->slice_count > 1 && entries > DENSE_FREE_ENTRIES &&
        entries > (size_t)DENSE_SPARSITY * store->group_count)
        return make_sparse(store, error);
    const uint32_t old = slice->key_capacity;
    ORIEL_TRY(GROW(store->layout->runtime->memory, &slice->group_of_key, old, capacity, error));
    memset(slice->group_of_key + old, 0, (capacity - old) * sizeof(uint32_t));
    slice->key_capacity = capacity;
    store->dense_entries = entries;
    return ORIEL_OK;
}

static enum oriel_status sparse_group(struct aggregate_store *store, uint32_t slice, uint32_t key,
                                      uint32_t *group, struct oriel_error *error) {
    if ((size_t)store->group_count * 2 >= store->pair_slot_count)
        ORIEL_TRY(grow_pairs(store, error));
    const uint64_t hash = pair_hash(slice, key);
    const size_t at = pair_slot(store, slice, key, hash);
    if (store->pair_slots[at]) {
        *group = (uint32_t)store->pair_slots[at] - 1;
        return ORIEL_OK;
    }
    ORIEL_TRY(add_group(store, key, group, error));
    store->group_slices[*group] = slice;
    store->pair_slots[at] = (hash & ~UINT64_C(0xFFFFFFFF)) | (*group + 1);
    return ORIEL_OK;
}

static enum oriel_status dense_group(struct aggregate_store *store, uint32_t slice_index,
                                     uint32_t key, uint32_t *group, struct oriel_error *error) {
    struct aggregate_slice *slice = &store->slices[slice_index];
    if (key >= slice->key_capacity)
        ORIEL_TRY(grow_dense(store, slice, key, error));
    if (store->sparse)
        return sparse_group(store, slice_index, key, group, error);
    if (!slice->group_of_key[key]) {
        ORIEL_TRY(add_group(store, key, group, error));
        store->group_slices[*group] = slice_index;
        slice->group_of_key[key] = *group + 1;
    }
    *group = slice->group_of_key[key] - 1;
    return ORIEL_OK;
}

static enum oriel_status find_slice(struct aggregate_store *store, int64_t start_ms,
                                    struct oriel_error *error) {
    if (store->current_slice != AGGREGATE_NO_SLICE &&
        store->slices[store->current_slice].start_ms == start_ms)
        return ORIEL_OK;
    return slice_of(store, start_ms, &store->current_slice, error);
}

enum oriel_status aggregate_store_find_slices(struct aggregate_store *store, const uint64_t *rows,
                                              size_t row_count, struct oriel_error *error) {
    const int64_t *starts = store->slice_starts;
    for (size_t i = 0; i < row_count; i++) {
        if (rows && !oriel_bits_get(rows, i)) {
            store->groups[i] = 0;
            continue;
        }
        ORIEL_TRY(find_slice(store, starts[i], error));
        const uint32_t key = store->key_ids[i];
        const struct aggregate_slice *slice = &store->slices[store->current_slice];
        if (key < slice->key_capacity && slice->group_of_key[key])
            store->groups[i] = slice->group_of_key[key] - 1;
        else if (store->sparse)
            ORIEL_TRY(sparse_group(store, store->current_slice, key, &store->groups[i], error));
        else
            ORIEL_TRY(dense_group(store, store->current_slice, key, &store->groups[i], error));
    }
    return ORIEL_OK;
}

static enum oriel_status grow_open(struct aggregate_store *store, uint32_t key,
                                   struct oriel_error *error) {
    uint32_t capacity = store->open_capacity ? store->open_capacity : 64;
    while (capacity <= key)
        capacity = capacity > UINT32_MAX / 2 ? UINT32_MAX : capacity * 2;
    ORIEL_TRY(GROW(store->layout->runtime->memory, &store->open_sessions, store->open_capacity,
                   capacity, error));
    memset(store->open_sessions + store->open_capacity, 0,
           (capacity - store->open_capacity) * sizeof(uint32_t));
    store->open_capacity = capacity;
    return ORIEL_OK;
}

enum oriel_status aggregate_store_add_session(struct aggregate_store *store, uint32_t key,
                                              int64_t first_ms, int64_t last_ms, uint32_t *group,
                                              struct oriel_error *error) {
    ORIEL_TRY(add_group(store, key, group, error));
    store->session_first_ms[*group] = first_ms;
    store->session_last_ms[*group] = last_ms;
    return ORIEL_OK;
}

/* Whether a row at `time` touches the session [first, last], in exact arithmetic. */
static bool touches(int64_t time, int64_t first, int64_t last, int64_t gap) {
    const uint64_t width = (uint64_t)gap;
    return (time <= last || (uint64_t)time - (uint64_t)last <= width) &&
           (time >= first || (uint64_t)first - (uint64_t)time <= width);
}

enum oriel_status aggregate_store_find_sessions(struct aggregate_store *store, const int64_t *times,
                                                const uint64_t *rows, size_t row_count,
                                                struct oriel_error *error) {
    const int64_t gap = store->layout->window->size_ms;
    for (size_t i = 0; i < row_count; i++) {
        store->groups[i] = 0;
        if (rows && !oriel_bits_get(rows, i))
            continue;
        const uint32_t key = store->key_ids[i];
        if (key >= store->open_capacity)
            ORIEL_TRY(grow_open(store, key, error));
        uint32_t group = store->open_sessions[key];
        if (group-- &&
            touches(times[i], store->session_first_ms[group], store->session_last_ms[group], gap)) {
            if (times[i] > store->session_last_ms[group])
                store->session_last_ms[group] = times[i];
            if (times[i] < store->session_first_ms[group])
                store->session_first_ms[group] = times[i];
        } else {
            ORIEL_TRY(aggregate_store_add_session(store, key, times[i], times[i], &group, error));
            store->open_sessions[key] = group + 1;
        }
        store->groups[i] = group;
    }
    return ORIEL_OK;
}
