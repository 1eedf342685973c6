/*
 * The session form: each key has the session of its last row open, whose states lie in a slot. A
 * row that is too far from it closes it: once the batch is added up, the slot is used again.
 */
#include <string.h>

#include "engine/exec/aggregate_radix.h"
#include "kernels/kernels.h"

static enum oriel_status grow_open(struct aggregate_store *store, struct oriel_error *error) {
    const uint32_t keys = store->keys_open ? store->keys.key_count : 1;
    uint32_t capacity = store->open_capacity ? store->open_capacity : 64;
    if (keys <= store->open_capacity)
        return ORIEL_OK;
    while (capacity < keys)
        capacity = capacity > UINT32_MAX / 2 ? UINT32_MAX : capacity * 2;
    ORIEL_TRY(aggregate_array_grow(store, &store->open_array, capacity, error));
    store->open_sessions = store->open_array.items;
    store->open_capacity = capacity;
    return ORIEL_OK;
}

static enum oriel_status grow_slots(struct aggregate_store *store, size_t wanted,
                                    struct oriel_error *error) {
    while (store->free_count < wanted) {
        ORIEL_TRY(aggregate_store_grow_groups(store, error));
        if (store->group_count == 0)
            store->group_count = 1; /* slot 0 is no slot */
        for (uint32_t slot = store->group_capacity; slot > store->group_count;)
            store->free_slots[store->free_count++] = --slot;
        store->group_count = store->group_capacity;
    }
    return ORIEL_OK;
}

/* Makes room for the sessions of so many rows. */
static enum oriel_status prepare(struct aggregate_store *store, size_t row_count,
                                 struct oriel_error *error) {
    ORIEL_TRY(aggregate_closed_settle(store, error));
    ORIEL_TRY(grow_open(store, error));
    return grow_slots(store, row_count, error);
}

enum oriel_status aggregate_store_add_session(struct aggregate_store *store, uint32_t key,
                                              int64_t first_ms, int64_t last_ms, uint32_t *group,
                                              struct oriel_error *error) {
    ORIEL_TRY(prepare(store, 1, error));
    const struct aggregate_open_session session = {first_ms, last_ms,
                                                   store->free_slots[--store->free_count]};
    aggregate_closed_add(&store->closed, key, &session);
    store->total_count++;
    *group = session.slot;
    return ORIEL_OK;
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

/* Adds the rows to their sessions, in the given order (NULL: as they come). Whether a row joins is
 * as good as random, so masks stand for branches, and the key's session is always written to the
 * closed ones and stays there when it is one. */
static void find_sessions(struct aggregate_store *store, const int64_t *restrict times,
                          const uint32_t *order, size_t count, struct aggregate_stretch *stretch) {
    const uint64_t gap = (uint64_t)store->layout->window->size_ms;
    const uint32_t *restrict key_ids = store->key_ids;
    const uint32_t *restrict next_free = store->free_slots + store->free_count - 1;
    struct aggregate_open_session *restrict sessions = store->open_sessions;
    uint32_t *restrict groups = store->groups;
    struct aggregate_closed closed = store->closed;
    bool descends = false;
    for (size_t n = 0; n < count; n++) {
        const size_t i = order ? order[n] : n;
        const int64_t time = times[i];
        struct aggregate_open_session *session = &sessions[key_ids[i]];
        const int64_t first_ms = session->first_ms, last_ms = session->last_ms;
        const uint32_t slot = session->slot;
        const uint64_t after = time > last_ms ? (uint64_t)time - (uint64_t)last_ms : 0;
        const uint64_t before = time < first_ms ? (uint64_t)first_ms - (uint64_t)time : 0;
        const bool is_open = slot != 0;
        const bool joins = is_open & (after <= gap) & (before <= gap);
        const uint32_t free_slot = *next_free;
        const uint32_t taken = free_slot ^ ((free_slot ^ slot) & -(uint32_t)joins);
        const int64_t kept_first = -(int64_t)(joins & (before == 0));
        const int64_t kept_last = -(int64_t)(joins & (after == 0));
        descends |= is_open & (before != 0);
        aggregate_closed_add(&closed, key_ids[i], session);
        closed.count -= !is_open | joins;
        next_free -= !joins;
        session->first_ms = time ^ ((time ^ first_ms) & kept_first);
        session->last_ms = time ^ ((time ^ last_ms) & kept_last);
        session->slot = taken;
        groups[i] = taken;
    }
    const uint32_t free_count = (uint32_t)(next_free + 1 - store->free_slots);
    store->total_count += store->free_count - free_count;
    store->free_count = free_count;
    store->closed.count = closed.count;
    stretch->descends = stretch->descends || descends;
}

/* The selected rows, as they come or by time; returns how many. */
static enum oriel_status list_rows(struct aggregate_store *store, const int64_t *times,
                                   const uint64_t *rows, size_t row_count, bool sorted,
                                   size_t *count, struct oriel_error *error) {
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
    if (sorted)
        store->layout->runtime->kernels->radix_sort_u64(keys, order, *count, keys + row_count,
                                                        order + row_count);
    return ORIEL_OK;
}

enum oriel_status aggregate_store_find_sessions(struct aggregate_store *store, const int64_t *times,
                                                const uint64_t *rows, size_t row_count,
                                                struct oriel_error *error) {
    const bool sorted = store->layout->session == ORIEL_STRATEGY_SORT;
    struct aggregate_stretch unused;
    struct aggregate_stretch *stretch = &unused;
    size_t count = row_count;
    ORIEL_TRY(prepare(store, row_count, error));
    if (store->layout->session != ORIEL_STRATEGY_HASH) /* else all are merged by key */
        ORIEL_TRY(note_times(store, times, rows, row_count, &stretch, error));
    if (!sorted && !rows) {
        find_sessions(store, times, NULL, row_count, stretch);
        return ORIEL_OK;
    }
    ORIEL_TRY(list_rows(store, times, rows, row_count, sorted, &count, error));
    memset(store->groups, 0, row_count * sizeof *store->groups);
    find_sessions(store, times, store->order_rows.items, count, stretch);
    return ORIEL_OK;
}

enum oriel_status aggregate_store_finish(struct aggregate_store *store, struct oriel_error *error) {
    if (store->keyed)
        return aggregate_radix_pack(store, error);
    if (store->form != AGGREGATE_SESSION || !store->closed.room)
        return ORIEL_OK;
    ORIEL_TRY(aggregate_closed_settle(store, error));
    for (uint32_t key = 0; key < store->open_capacity; key++) {
        if (!store->open_sessions[key].slot)
            continue;
        if (store->closed.count == store->closed.run)
            ORIEL_TRY(aggregate_closed_settle(store, error));
        aggregate_closed_add(&store->closed, key, &store->open_sessions[key]);
        store->open_sessions[key].slot = 0;
    }
    return aggregate_closed_leave(store, error);
}
