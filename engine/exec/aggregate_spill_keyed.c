/*
 * Writes packed groups that hold their keys to the partitions of their hashes.
 */
#include "engine/exec/aggregate_radix.h"
#include "engine/exec/aggregate_spill.h"
#include "engine/exec/row_key.h"
#include "kernels/kernels.h"

enum { ROOM_ROWS = 16 * AGGREGATE_PIECE_ROWS };

/* Groups of many pieces, so that the blocks of the partitions are not small. */
struct keyed_room {
    const struct aggregate_layout *layout;
    struct aggregate_partition *partitions;
    struct aggregate_keyed_slice groups;
    size_t count;
    int64_t *starts_ms;
    uint64_t *hashes;
    uint32_t *rows; /* by partition */
};

static enum oriel_status write_partition(struct keyed_room *room, unsigned partition,
                                         const uint32_t *rows, uint32_t count,
                                         struct oriel_error *error) {
    const struct aggregate_layout *layout = room->layout;
    struct aggregate_partition *to = &room->partitions[partition];
    if (count == 0)
        return ORIEL_OK;
    ORIEL_TRY(oriel_spill_append(&to->states, &count, sizeof count, error));
    ORIEL_TRY(oriel_spill_append_rows(&to->keys, room->groups.keys.columns,
                                      layout->key_schema.field_count, rows, 0, count, error));
    for (uint32_t i = 0; i < count; i++) {
        const int64_t times_ms[2] = {room->starts_ms[rows[i]], 0};
        ORIEL_TRY(oriel_spill_append(&to->states, times_ms, sizeof times_ms, error));
        ORIEL_TRY(aggregate_spill_states(
            layout, &to->states, room->groups.states + rows[i] * layout->stride_bytes, error));
    }
    return ORIEL_OK;
}

static enum oriel_status write_room(struct keyed_room *room, struct oriel_error *error) {
    const struct oriel_kernels *kernels = room->layout->runtime->kernels;
    uint32_t offsets[AGGREGATE_PARTITIONS + 1];
    oriel_row_key_hash(kernels, room->groups.keys.columns, room->layout->key_schema.field_count,
                       room->count, room->hashes);
    kernels->partition_u64(room->hashes, room->count, AGGREGATE_PARTITION_BITS, offsets,
                           room->rows);
    for (unsigned p = 0; p < AGGREGATE_PARTITIONS; p++)
        ORIEL_TRY(
            write_partition(room, p, room->rows + offsets[p], offsets[p + 1] - offsets[p], error));
    room->count = 0;
    return ORIEL_OK;
}

static enum oriel_status write_slices(struct keyed_room *room, const struct aggregate_store *store,
                                      struct oriel_error *error) {
    for (uint32_t s = 0; s < store->slice_count; s++) {
        const struct aggregate_slice *slice = &store->slices[s];
        for (const struct aggregate_piece *p = slice->pieces; p; p = p->older) {
            if (room->count + p->row_count > ROOM_ROWS)
                ORIEL_TRY(write_room(room, error));
            aggregate_keyed_slice_read(&room->groups, p, room->count);
            for (size_t i = 0; i < p->row_count; i++)
                room->starts_ms[room->count++] = slice->start_ms;
        }
    }
    return write_room(room, error);
}

enum oriel_status aggregate_spill_keyed(const struct aggregate_store *store,
                                        struct aggregate_partition *partitions,
                                        struct oriel_error *error) {
    struct oriel_arena arena;
    struct keyed_room room = {.layout = store->layout, .partitions = partitions};
    oriel_arena_init(&arena, store->layout->runtime->memory);
    room.starts_ms = oriel_arena_allocate(&arena, ROOM_ROWS * sizeof *room.starts_ms);
    room.hashes = oriel_arena_allocate(&arena, ROOM_ROWS * sizeof *room.hashes);
    room.rows = oriel_arena_allocate(&arena, ROOM_ROWS * sizeof *room.rows);
    enum oriel_status status =
        room.starts_ms && room.hashes && room.rows
            ? aggregate_keyed_slice_reserve(&room.groups, store->layout, ROOM_ROWS, error)
            : oriel_error_memory(error);
    if (status == ORIEL_OK)
        status = write_slices(&room, store, error);
    aggregate_keyed_slice_deinit(&room.groups);
    oriel_arena_deinit(&arena);
    return status;
}
