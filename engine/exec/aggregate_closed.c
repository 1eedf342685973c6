/*
 * Closed sessions on their way into pieces: when there are enough of them, they are sorted by their
 * last time, so that those of a time lie together in the pieces.
 */
#include <string.h>

#include "engine/exec/aggregate_store.h"
#include "kernels/kernels.h"

enum {
    RUN_BYTES = 512 << 10, /* what the cache holds beside the rest */
    RUN_SESSIONS_MAX = 8 * AGGREGATE_PIECE_ROWS,
};

static uint32_t column_count(const struct aggregate_store *store) {
    return aggregate_piece_lead(store->layout) + aggregate_state_words(store->layout);
}

static enum oriel_status make_room(struct aggregate_store *store, struct oriel_error *error) {
    struct aggregate_closed *closed = &store->closed;
    const size_t fitting = RUN_BYTES / (column_count(store) * sizeof(uint64_t));
    closed->run = fitting > RUN_SESSIONS_MAX       ? RUN_SESSIONS_MAX
                  : fitting < AGGREGATE_PIECE_ROWS ? AGGREGATE_PIECE_ROWS
                                                   : (uint32_t)fitting;
    const size_t room = closed->run + store->layout->runtime->batch_rows + 1;
    ORIEL_TRY(aggregate_array_grow(store, &closed->words_array, column_count(store) * room, error));
    ORIEL_TRY(aggregate_array_grow(store, &closed->slots_array, room, error));
    closed->words = closed->words_array.items;
    closed->slots = closed->slots_array.items;
    closed->room = (uint32_t)room;
    return ORIEL_OK;
}

/* Fetches the states of those that have closed since. */
static void complete(struct aggregate_store *store) {
    struct aggregate_closed *closed = &store->closed;
    const size_t stride = store->layout->stride_bytes;
    const uint32_t words = aggregate_state_words(store->layout);
    uint64_t *columns = closed->words + (size_t)aggregate_piece_lead(store->layout) * closed->room;
    for (; closed->complete_count < closed->count; closed->complete_count++) {
        const uint32_t slot = closed->slots[closed->complete_count];
        char *states = store->states + slot * stride;
        uint64_t *to = columns + closed->complete_count;
        for (uint32_t w = 0; w < words; w++)
            memcpy(to + (size_t)w * closed->room, states + w * sizeof *to, sizeof *to);
        for (size_t at = 0; at < stride; at += 16) /* a call costs more */
            memset(states + at, 0, 16);
        store->free_slots[store->free_count++] = slot;
    }
}

static enum oriel_status sort_run(struct aggregate_store *store, struct oriel_error *error) {
    const struct aggregate_closed *closed = &store->closed;
    const struct oriel_kernels *kernels = store->layout->runtime->kernels;
    const uint64_t *last_ms = closed->words + 2 * (size_t)closed->room;
    const uint32_t count = closed->count;
    ORIEL_TRY(aggregate_array_grow(store, &store->order_keys, 2 * (size_t)count, error));
    ORIEL_TRY(aggregate_array_grow(store, &store->order_rows, 2 * (size_t)count, error));
    uint64_t *keys = store->order_keys.items;
    uint32_t *order = store->order_rows.items;
    int64_t bounds[2];
    kernels->min_max_i64((const int64_t *)last_ms, NULL, count, bounds);
    for (uint32_t i = 0; i < count; i++) {
        keys[i] = last_ms[i] - (uint64_t)bounds[0];
        order[i] = i;
    }
    kernels->radix_sort_u64(keys, order, count, keys + count, order + count);
    return ORIEL_OK;
}

static enum oriel_status write_run(struct aggregate_store *store, struct oriel_error *error) {
    struct aggregate_closed *closed = &store->closed;
    const uint32_t columns = column_count(store);
    if (closed->count == 0)
        return ORIEL_OK;
    ORIEL_TRY(sort_run(store, error));
    const uint32_t *order = store->order_rows.items;
    for (uint32_t begin = 0; begin < closed->count; begin += AGGREGATE_PIECE_ROWS) {
        const uint32_t left = closed->count - begin;
        store->piece_row_count = left < AGGREGATE_PIECE_ROWS ? left : AGGREGATE_PIECE_ROWS;
        for (uint32_t c = 0; c < columns; c++)
            store->layout->runtime->kernels->gather_64(
                closed->words + (size_t)c * closed->room, order + begin, store->piece_row_count,
                store->piece_words + (size_t)c * AGGREGATE_PIECE_ROWS);
        ORIEL_TRY(aggregate_pack_write(store, &store->session_pieces, error));
    }
    closed->count = 0;
    closed->complete_count = 0;
    return ORIEL_OK;
}

enum oriel_status aggregate_closed_settle(struct aggregate_store *store,
                                          struct oriel_error *error) {
    if (!store->closed.room)
        return make_room(store, error);
    complete(store);
    return store->closed.count >= store->closed.run ? write_run(store, error) : ORIEL_OK;
}

enum oriel_status aggregate_closed_leave(struct aggregate_store *store, struct oriel_error *error) {
    complete(store);
    return write_run(store, error);
}
