/*
 * Groups on their way into packed pieces and back, and the walk over all groups of a store.
 */
#include <string.h>

#include "engine/exec/aggregate_store.h"
#include "kernels/kernels.h"

static uint32_t lead_of(const struct aggregate_store *store) {
    return store->keyed ? aggregate_keyed_lead(store->layout) : aggregate_piece_lead(store->layout);
}

void aggregate_pack_states(struct aggregate_store *store, const char *states) {
    const uint32_t words = aggregate_state_words(store->layout);
    uint64_t *to = store->piece_words + store->piece_row_count++;
    to += (size_t)lead_of(store) * AGGREGATE_PIECE_ROWS;
    for (uint32_t w = 0; w < words; w++)
        memcpy(to + (size_t)w * AGGREGATE_PIECE_ROWS, states + w * sizeof *to, sizeof *to);
}

void aggregate_pack_rows(struct aggregate_store *store, const uint32_t *keys, uint32_t count,
                         const char *states) {
    const size_t stride = store->layout->stride_bytes;
    const uint32_t words = aggregate_state_words(store->layout);
    uint64_t *to = store->piece_words;
    for (uint32_t i = 0; i < count; i++)
        to[i] = keys[i];
    to += (size_t)lead_of(store) * AGGREGATE_PIECE_ROWS;
    for (uint32_t w = 0; w < words; w++, to += AGGREGATE_PIECE_ROWS) {
        for (uint32_t i = 0; i < count; i++)
            memcpy(&to[i], states + keys[i] * stride + w * sizeof *to, sizeof *to);
    }
    store->piece_row_count = count;
}

void aggregate_pack_row(struct aggregate_store *store, uint32_t key, const char *states) {
    store->piece_words[store->piece_row_count] = key;
    aggregate_pack_states(store, states);
}

enum oriel_status aggregate_pack_write(struct aggregate_store *store,
                                       struct aggregate_piece **newest, struct oriel_error *error) {
    const struct oriel_kernels *kernels = store->layout->runtime->kernels;
    const uint32_t rows = store->piece_row_count;
    const uint32_t columns = lead_of(store) + aggregate_state_words(store->layout);
    if (rows == 0)
        return ORIEL_OK;
    const size_t bytes = oriel_packed_rows_plan(kernels, store->piece_words, AGGREGATE_PIECE_ROWS,
                                                rows, columns, store->piece_columns);
    struct aggregate_piece *piece =
        oriel_arena_allocate(&store->pieces_arena, sizeof *piece + bytes);
    if (!piece)
        return oriel_error_memory(error);
    *piece = (struct aggregate_piece){*newest, rows};
    oriel_packed_rows_write(kernels, store->piece_words, AGGREGATE_PIECE_ROWS, rows, columns,
                            store->piece_columns, (struct oriel_packed_rows *)(void *)(piece + 1));
    *newest = piece;
    store->piece_row_count = 0;
    return ORIEL_OK;
}

void aggregate_piece_read(const struct aggregate_layout *layout,
                          const struct aggregate_piece *piece, uint64_t *words, uint32_t *keys,
                          int64_t *first_ms, int64_t *last_ms, char *states) {
    const struct oriel_kernels *kernels = layout->runtime->kernels;
    const struct oriel_packed_rows *rows = aggregate_piece_rows(piece);
    const uint32_t lead = aggregate_piece_lead(layout), state_words = aggregate_state_words(layout);
    oriel_packed_rows_read(kernels, rows, 0, 1, words);
    for (uint32_t i = 0; i < rows->row_count; i++)
        keys[i] = (uint32_t)words[i];
    if (lead == 3) {
        oriel_packed_rows_read(kernels, rows, 1, 1, (uint64_t *)first_ms);
        oriel_packed_rows_read(kernels, rows, 2, 1, (uint64_t *)last_ms);
    }
    for (uint32_t w = 0; w < state_words; w++)
        oriel_packed_rows_read(kernels, rows, lead + w, state_words,
                               (uint64_t *)(void *)states + w);
}

/* What a walk reads a piece into. */
struct piece_room {
    uint64_t words[AGGREGATE_PIECE_ROWS];
    uint32_t keys[AGGREGATE_BLOCK_KEYS];
    int64_t first_ms[AGGREGATE_PIECE_ROWS];
    int64_t last_ms[AGGREGATE_PIECE_ROWS];
    char states[];
};

static enum oriel_status visit_pieces(const struct aggregate_layout *layout,
                                      const struct aggregate_piece *piece, int64_t start_ms,
                                      struct piece_room *room, aggregate_visit *visit,
                                      void *context, struct oriel_error *error) {
    for (; piece; piece = piece->older) {
        aggregate_piece_read(layout, piece, room->words, room->keys, room->first_ms, room->last_ms,
                             room->states);
        for (size_t i = 0; i < piece->row_count; i++) {
            int64_t times_ms[2] = {start_ms, 0};
            if (aggregate_is_session(layout)) {
                times_ms[0] = room->first_ms[i];
                times_ms[1] = room->last_ms[i];
            }
            ORIEL_TRY(visit(context, room->keys[i], times_ms,
                            room->states + i * layout->stride_bytes, error));
        }
    }
    return ORIEL_OK;
}

static enum oriel_status visit_all(const struct aggregate_store *store, struct piece_room *room,
                                   aggregate_visit *visit, void *context,
                                   struct oriel_error *error) {
    const struct aggregate_layout *layout = store->layout;
    const struct aggregate_blocks *blocks = &store->blocks;
    ORIEL_TRY(visit_pieces(layout, store->session_pieces, 0, room, visit, context, error));
    for (uint32_t s = 0; s < store->slice_count; s++) {
        const struct aggregate_slice *slice = &store->slices[s];
        ORIEL_TRY(
            visit_pieces(layout, slice->pieces, slice->start_ms, room, visit, context, error));
        if (slice->block == AGGREGATE_NO_BLOCK)
            continue;
        const size_t base = (size_t)slice->block * blocks->block_keys;
        const int64_t times_ms[2] = {slice->start_ms, 0};
        for (uint32_t first = 0; first < blocks->block_keys; first += AGGREGATE_PIECE_ROWS) {
            const uint32_t count = aggregate_block_keys(store, slice->block, first, room->keys);
            for (uint32_t i = 0; i < count; i++)
                ORIEL_TRY(visit(context, room->keys[i], times_ms,
                                store->states + (base + room->keys[i]) * layout->stride_bytes,
                                error));
        }
    }
    for (uint32_t g = 0; store->form == AGGREGATE_HASHED && g < store->group_count; g++) {
        const int64_t times_ms[2] = {store->slices[store->group_slices[g]].start_ms, 0};
        ORIEL_TRY(visit(context, store->group_keys[g], times_ms,
                        store->states + g * layout->stride_bytes, error));
    }
    return ORIEL_OK;
}

enum oriel_status aggregate_store_each(const struct aggregate_store *store, aggregate_visit *visit,
                                       void *context, struct oriel_error *error) {
    struct oriel_memory *memory = store->layout->runtime->memory;
    const size_t size =
        sizeof(struct piece_room) + AGGREGATE_PIECE_ROWS * store->layout->stride_bytes;
    struct piece_room *room = oriel_memory_allocate(memory, size);
    if (!room)
        return oriel_error_memory(error);
    const enum oriel_status status = visit_all(store, room, visit, context, error);
    oriel_memory_release(memory, room, size);
    return status;
}
