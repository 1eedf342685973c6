/*
 * The hashed form: groups one after the other, found through a hash table of (slice, key).
 */
#include "engine/exec/aggregate_store.h"

enum {
    SLOTS_FIRST = 256,
    CACHED_SLOTS = 1 << 14, /* tables up to this size are not worth fetching ahead */
    AHEAD = 12,             /* rows between the fetch of a slot and its use */
};

static uint64_t mix(uint64_t value) {
    value *= UINT64_C(0x9E3779B97F4A7C15);
    return value ^ (value >> 32);
}

static uint64_t pair_hash(uint32_t slice, uint32_t key) {
    const uint64_t hash = mix((uint64_t)slice << 32 | key);
    return mix(hash ^ (hash >> 29));
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

static enum oriel_status grow_pairs(struct aggregate_store *store, struct oriel_error *error) {
    struct oriel_memory *memory = store->layout->runtime->memory;
    size_t slot_count = store->pair_slot_count ? store->pair_slot_count * 2 : SLOTS_FIRST;
    uint64_t *slots = oriel_memory_allocate_zeroed(memory, slot_count, sizeof *slots);
    if (!slots)
        return oriel_error_memory(error);
    oriel_memory_release(memory, store->pair_slots, store->pair_slot_count * sizeof *slots);
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

static enum oriel_status find_group(struct aggregate_store *store, uint32_t slice, uint32_t key,
                                    uint64_t hash, uint32_t *group, struct oriel_error *error) {
    if ((size_t)store->group_count * 2 >= store->pair_slot_count)
        ORIEL_TRY(grow_pairs(store, error));
    const size_t at = pair_slot(store, slice, key, hash);
    if (store->pair_slots[at]) {
        *group = (uint32_t)store->pair_slots[at] - 1;
        return ORIEL_OK;
    }
    if (store->group_count == store->group_capacity)
        ORIEL_TRY(aggregate_store_grow_groups(store, error));
    *group = store->group_count++;
    store->total_count++;
    store->group_keys[*group] = key;
    store->group_slices[*group] = slice;
    store->pair_slots[at] = (hash & ~UINT64_C(0xFFFFFFFF)) | (*group + 1);
    return ORIEL_OK;
}

/* hashes[i] of the selected ones of rows [first, first + count), whose slices stand in `slices`. */
static enum oriel_status hash_rows(struct aggregate_store *store, const uint64_t *rows,
                                   size_t first, size_t count, uint32_t *slices, uint64_t *hashes,
                                   struct oriel_error *error) {
    for (size_t i = 0; i < count; i++) {
        hashes[i] = 0;
        if (rows && !oriel_bits_get(rows, first + i))
            continue;
        const int64_t start_ms = store->slice_starts[first + i];
        if (store->current_slice == AGGREGATE_NO_SLICE ||
            store->slices[store->current_slice].start_ms != start_ms)
            ORIEL_TRY(aggregate_store_slice_of(store, start_ms, &store->current_slice, error));
        slices[i] = store->current_slice;
        hashes[i] = pair_hash(slices[i], store->key_ids[first + i]);
    }
    return ORIEL_OK;
}

enum { HASHED_ROWS = 256 };

enum oriel_status aggregate_hashed_find(struct aggregate_store *store, const uint64_t *rows,
                                        size_t row_count, struct oriel_error *error) {
    uint32_t slices[HASHED_ROWS];
    uint64_t hashes[HASHED_ROWS];
    for (size_t first = 0; first < row_count; first += HASHED_ROWS) {
        const size_t count = row_count - first < HASHED_ROWS ? row_count - first : HASHED_ROWS;
        ORIEL_TRY(hash_rows(store, rows, first, count, slices, hashes, error));
        for (size_t i = 0; i < count; i++) {
            if (store->pair_slot_count > CACHED_SLOTS && i + AHEAD < count)
                __builtin_prefetch(
                    &store->pair_slots[hashes[i + AHEAD] & (store->pair_slot_count - 1)]);
            store->groups[first + i] = 0;
            if (rows && !oriel_bits_get(rows, first + i))
                continue;
            uint32_t *group = &store->groups[first + i];
            ORIEL_TRY(
                find_group(store, slices[i], store->key_ids[first + i], hashes[i], group, error));
            if (store->pair_slot_count > CACHED_SLOTS)
                __builtin_prefetch(store->states + *group * store->layout->stride_bytes, 1);
        }
    }
    return ORIEL_OK;
}
