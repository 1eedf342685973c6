/*
 * The session form: each key's open session lies in a slot. A row that is too far from it closes
 * it: once the batch is added up, its slot is packed and used again.
 */
#include <string.h>

#include "engine/exec/aggregate_radix.h"
#include "kernels/kernels.h"

static enum oriel_status write_piece(struct aggregate_store *store, struct oriel_error *error) {
    return aggregate_pack_write(store, &store->session_pieces, error);
}

/* Packs the sessions that closed in earlier batches. */
static enum oriel_status pack_closed(struct aggregate_store *store, struct oriel_error *error) {
    const size_t stride = store->layout->stride_bytes;
    while (store->closing_count) {
        const uint32_t slot = store->closing[store->closing_count - 1];
        if (store->piece_row_count == AGGREGATE_PIECE_ROWS)
            ORIEL_TRY(write_piece(store, error));
        uint64_t *words = store->piece_words + store->piece_row_count;
        words[AGGREGATE_PIECE_ROWS] = (uint64_t)store->session_first_ms[slot];
        words[2 * AGGREGATE_PIECE_ROWS] = (uint64_t)store->session_last_ms[slot];
        aggregate_pack_row(store, store->group_keys[slot], store->states + slot * stride);
        memset(store->states + slot * stride, 0, stride);
        store->closing_count--;
        store->free_slots[store->free_count++] = slot;
    }
    return ORIEL_OK;
}

static enum oriel_status take_slot(struct aggregate_store *store, uint32_t key, int64_t time_ms,
                                   uint32_t *slot, struct oriel_error *error) {
    if (store->free_count) {
        *slot = store->free_slots[--store->free_count];
    } else {
        if (store->group_count == store->group_capacity)
            ORIEL_TRY(aggregate_store_grow_groups(store, error));
        *slot = store->group_count++;
    }
    store->group_keys[*slot] = key;
    store->session_first_ms[*slot] = time_ms;
    store->session_last_ms[*slot] = time_ms;
    store->total_count++;
    return ORIEL_OK;
}

enum oriel_status aggregate_store_add_session(struct aggregate_store *store, uint32_t key,
                                              int64_t first_ms, int64_t last_ms, uint32_t *group,
                                              struct oriel_error *error) {
    ORIEL_TRY(pack_closed(store, error));
    ORIEL_TRY(take_slot(store, key, first_ms, group, error));
    store->session_last_ms[*group] = last_ms;
    store->closing[store->closing_count++] = *group;
    return ORIEL_OK;
}

static enum oriel_status grow_open(struct aggregate_store *store, uint32_t key,
                                   struct oriel_error *error) {
    uint32_t capacity = store->open_capacity ? store->open_capacity : 64;
    while (capacity <= key)
        capacity = capacity > UINT32_MAX / 2 ? UINT32_MAX : capacity * 2;
    ORIEL_TRY(aggregate_array_grow(store, &store->open_array, capacity, error));
    store->open_sessions = store->open_array.items;
    store->open_capacity = capacity;
    return ORIEL_OK;
}

/* Whether a row at `time` touches the session [first, last], in exact arithmetic. */
static bool touches(int64_t time, int64_t first, int64_t last, int64_t gap) {
    const uint64_t width = (uint64_t)gap;
    return (time <= last || (uint64_t)time - (uint64_t)last <= width) &&
           (time >= first || (uint64_t)first - (uint64_t)time <= width);
}

static enum oriel_status note_times(struct aggregate_store *store, const int64_t *times,
                                    const uint64_t *rows, size_t row_count,
                                    struct aggregate_stretch **out, struct oriel_error *error) {
    const size_t count = store->stretch_count;
    if ((count + 1) * sizeof **out > store->stretches.size_bytes)
        ORIEL_TRY(aggregate_array_grow(store, &store->stretches, count ? 2 * count : 64, error));
    int64_t bounds[2];
    store->layout->runtime->kernels->min_max_i64(times, rows, row_count, bounds);
    *out = (struct aggregate_stretch *)store->stretches.items + count;
    **out = (struct aggregate_stretch){
        .least_ms = bounds[0], .greatest_ms = bounds[1], .number = store->stretch_count};
    if (bounds[0] <= bounds[1])
        store->stretch_count++;
    return ORIEL_OK;
}

/* Adds row i to its session. */
static enum oriel_status find_session(struct aggregate_store *store, const int64_t *times, size_t i,
                                      struct aggregate_stretch *stretch,
                                      struct oriel_error *error) {
    const uint32_t key = store->key_ids[i];
    const int64_t time = times[i];
    if (key >= store->open_capacity)
        ORIEL_TRY(grow_open(store, key, error));
    uint32_t slot = store->open_sessions[key];
    if (slot && time < store->session_first_ms[slot - 1])
        stretch->descends = true;
    if (slot-- && touches(time, store->session_first_ms[slot], store->session_last_ms[slot],
                          store->layout->window->size_ms)) {
        if (time > store->session_last_ms[slot])
            store->session_last_ms[slot] = time;
        if (time < store->session_first_ms[slot])
            store->session_first_ms[slot] = time;
    } else {
        const uint32_t left = slot;
        ORIEL_TRY(take_slot(store, key, time, &slot, error));
        if (store->open_sessions[key])
            store->closing[store->closing_count++] = left;
        store->open_sessions[key] = slot + 1;
    }
    store->groups[i] = slot;
    return ORIEL_OK;
}

/* The selected rows by time; returns how many. */
static enum oriel_status sort_rows(struct aggregate_store *store, const int64_t *times,
                                   const uint64_t *rows, size_t row_count, size_t *count,
                                   struct oriel_error *error) {
    ORIEL_TRY(aggregate_array_grow(store, &store->order_keys, 2 * row_count, error));
    ORIEL_TRY(aggregate_array_grow(store, &store->order_rows, 2 * row_count, error));
    uint64_t *keys = store->order_keys.items;
    uint32_t *order = store->order_rows.items;
    *count = 0;
    for (size_t i = 0; i < row_count; i++) {
        if (!oriel_bits_get(rows, i))
            continue;
        keys[*count] = (uint64_t)times[i] ^ UINT64_C(1) << 63;
        order[(*count)++] = (uint32_t)i;
    }
    store->layout->runtime->kernels->radix_sort_u64(keys, order, *count, keys + row_count,
                                                    order + row_count);
    return ORIEL_OK;
}

enum oriel_status aggregate_store_find_sessions(struct aggregate_store *store, const int64_t *times,
                                                const uint64_t *rows, size_t row_count,
                                                struct oriel_error *error) {
    struct aggregate_stretch unused;
    struct aggregate_stretch *stretch = &unused;
    ORIEL_TRY(pack_closed(store, error));
    if (store->layout->session != ORIEL_STRATEGY_HASH) /* else all are merged by key */
        ORIEL_TRY(note_times(store, times, rows, row_count, &stretch, error));
    if (store->layout->session == ORIEL_STRATEGY_SORT) {
        size_t count;
        ORIEL_TRY(sort_rows(store, times, rows, row_count, &count, error));
        const uint32_t *order = store->order_rows.items;
        memset(store->groups, 0, row_count * sizeof *store->groups);
        for (size_t i = 0; i < count; i++)
            ORIEL_TRY(find_session(store, times, order[i], stretch, error));
        return ORIEL_OK;
    }
    for (size_t i = 0; i < row_count; i++) {
        store->groups[i] = 0;
        if (oriel_bits_get(rows, i))
            ORIEL_TRY(find_session(store, times, i, stretch, error));
    }
    return ORIEL_OK;
}

enum oriel_status aggregate_store_finish(struct aggregate_store *store, struct oriel_error *error) {
    if (store->keyed)
        return aggregate_radix_pack(store, error);
    if (store->form != AGGREGATE_SESSION)
        return ORIEL_OK;
    ORIEL_TRY(pack_closed(store, error));
    for (uint32_t key = 0; key < store->open_capacity; key++) {
        if (!store->open_sessions[key])
            continue;
        store->closing[store->closing_count++] = store->open_sessions[key] - 1;
        store->open_sessions[key] = 0;
    }
    ORIEL_TRY(pack_closed(store, error));
    return write_piece(store, error);
}
