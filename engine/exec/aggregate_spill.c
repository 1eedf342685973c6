/*
 * Writes groups to partitions and makes the result from them. A block in a partition is: the number
 * of groups; their keys (in the stream of keys); then for each its slice or session times and its
 * states.
 */
#include "engine/exec/aggregate_spill.h"

#include <string.h>

enum {
    MINIMAL_GROUPS = 256,
    BLOCK_GROUPS_MIN = 16,
    BLOCK_GROUPS_MAX = 1024,
    BLOCK_BYTES_MAX = 32 << 10, /* of the states in a block */
};

enum oriel_status aggregate_spill_init(struct aggregate_spill *spill,
                                       const struct aggregate_layout *layout, unsigned worker_count,
                                       struct oriel_error *error) {
    *spill = (struct aggregate_spill){.layout = layout, .worker_count = worker_count};
    oriel_arena_init(&spill->arena, layout->runtime->memory);
    if (pthread_mutex_init(&spill->lock, NULL) != 0) {
        spill->layout = NULL;
        return oriel_error_memory(error);
    }
    spill->partitions = oriel_memory_allocate_zeroed(
        layout->runtime->memory, worker_count * AGGREGATE_PARTITIONS, sizeof *spill->partitions);
    return spill->partitions ? ORIEL_OK : oriel_error_memory(error);
}

void aggregate_spill_deinit(struct aggregate_spill *spill) {
    if (!spill->layout)
        return;
    const size_t count = spill->worker_count * (size_t)AGGREGATE_PARTITIONS;
    for (size_t p = 0; spill->file && p < count; p++) {
        if (spill->partitions[p].keys.spill)
            oriel_spill_stream_deinit(&spill->partitions[p].keys);
        if (spill->partitions[p].states.spill)
            oriel_spill_stream_deinit(&spill->partitions[p].states);
    }
    oriel_memory_release(spill->layout->runtime->memory, spill->partitions,
                         count * sizeof *spill->partitions);
    oriel_spill_close(&spill->file);
    oriel_arena_deinit(&spill->arena);
    pthread_mutex_destroy(&spill->lock);
    spill->layout = NULL;
}

bool aggregate_spill_wanted(const struct aggregate_store *store, size_t row_count) {
    const struct aggregate_layout *layout = store->layout;
    if (store->total_count < MINIMAL_GROUPS)
        return false;
    if (oriel_spill_wanted(layout->runtime))
        return true;
    const size_t growth = aggregate_store_growth(store, row_count);
    return growth && oriel_memory_available(layout->runtime->memory) < growth + growth / 4;
}

static enum oriel_status open_file(struct aggregate_spill *spill, struct oriel_error *error) {
    pthread_mutex_lock(&spill->lock);
    enum oriel_status status = ORIEL_OK;
    if (!spill->file) {
        status = oriel_spill_open(spill->layout->runtime, &spill->file, error);
        const size_t count = spill->worker_count * (size_t)AGGREGATE_PARTITIONS;
        for (size_t p = 0; status == ORIEL_OK && p < count; p++) {
            oriel_spill_stream_init(&spill->partitions[p].keys, spill->file);
            oriel_spill_stream_init(&spill->partitions[p].states, spill->file);
        }
    }
    pthread_mutex_unlock(&spill->lock);
    return status;
}

enum oriel_status aggregate_spill_states(const struct aggregate_layout *layout,
                                         struct oriel_spill_stream *stream, const char *states,
                                         struct oriel_error *error) {
    if (layout->plain_states)
        return oriel_spill_append(stream, states, layout->stride_bytes, error);
    const struct oriel_plan *plan = layout->plan;
    struct oriel_memory *memory = layout->runtime->memory;
    for (uint32_t a = 0; a < plan->aggregate.aggregate_count; a++) {
        const struct oriel_aggregate_call *call = &plan->aggregate.aggregates[a];
        const char *state = states + layout->offsets[a];
        if (layout->bounds[a] != AGGREGATE_NO_BOUND)
            continue;
        const uint64_t size = call->operations->saved_bytes
                                  ? call->operations->saved_bytes(call, state)
                                  : call->state_bytes;
        char *bytes = oriel_memory_allocate(memory, size);
        if (!bytes)
            return oriel_error_memory(error);
        if (call->operations->save)
            call->operations->save(call, state, bytes);
        else
            memcpy(bytes, state, size);
        enum oriel_status status = oriel_spill_append(stream, &size, sizeof size, error);
        if (status == ORIEL_OK)
            status = oriel_spill_append(stream, bytes, size, error);
        oriel_memory_release(memory, bytes, size);
        ORIEL_TRY(status);
    }
    return ORIEL_OK;
}

/* Groups on their way into a partition. */
struct spill_block {
    uint32_t count;
    uint32_t *keys;
    int64_t *times_ms; /* two of each */
    char *states;
};

struct spill_blocks {
    const struct aggregate_store *store;
    struct aggregate_partition *partitions; /* of the worker */
    uint32_t room;                          /* groups of a block */
    struct spill_block items[AGGREGATE_PARTITIONS];
};

static enum oriel_status write_block(struct spill_blocks *blocks, unsigned partition,
                                     struct oriel_error *error) {
    const struct aggregate_store *store = blocks->store;
    const struct aggregate_layout *layout = store->layout;
    struct aggregate_partition *to = &blocks->partitions[partition];
    struct spill_block *block = &blocks->items[partition];
    if (block->count == 0)
        return ORIEL_OK;
    ORIEL_TRY(oriel_spill_append(&to->states, &block->count, sizeof block->count, error));
    if (store->keys_open)
        ORIEL_TRY(oriel_spill_append_rows(&to->keys, store->keys.keys.columns,
                                          layout->key_schema.field_count, block->keys, 0,
                                          block->count, error));
    for (uint32_t i = 0; i < block->count; i++) {
        ORIEL_TRY(
            oriel_spill_append(&to->states, &block->times_ms[2 * i], 2 * sizeof(int64_t), error));
        ORIEL_TRY(aggregate_spill_states(layout, &to->states,
                                         block->states + i * layout->stride_bytes, error));
    }
    block->count = 0;
    return ORIEL_OK;
}

static enum oriel_status block_group(void *context, uint32_t key, const int64_t times_ms[2],
                                     const char *states, struct oriel_error *error) {
    struct spill_blocks *blocks = context;
    const struct aggregate_store *store = blocks->store;
    const size_t stride = store->layout->stride_bytes;
    const unsigned partition =
        store->keys_open ? (unsigned)(store->keys.hashes[key] >> (64 - AGGREGATE_PARTITION_BITS))
                         : 0;
    struct spill_block *block = &blocks->items[partition];
    const uint32_t at = block->count++;
    block->keys[at] = key;
    memcpy(&block->times_ms[2 * at], times_ms, 2 * sizeof *times_ms);
    memcpy(block->states + at * stride, states, stride);
    return block->count == blocks->room ? write_block(blocks, partition, error) : ORIEL_OK;
}

static enum oriel_status write_groups(struct spill_blocks *blocks, struct oriel_error *error) {
    if (blocks->store->keyed)
        ORIEL_TRY(aggregate_spill_keyed(blocks->store, blocks->partitions, error));
    else
        ORIEL_TRY(aggregate_store_each(blocks->store, block_group, blocks, error));
    for (unsigned p = 0; p < AGGREGATE_PARTITIONS; p++) {
        ORIEL_TRY(write_block(blocks, p, error));
        ORIEL_TRY(oriel_spill_flush(&blocks->partitions[p].keys, error));
        ORIEL_TRY(oriel_spill_flush(&blocks->partitions[p].states, error));
    }
    return ORIEL_OK;
}

static enum oriel_status open_blocks(struct spill_blocks *blocks, struct oriel_arena *arena,
                                     struct oriel_error *error) {
    const size_t stride = blocks->store->layout->stride_bytes;
    const size_t fitting = BLOCK_BYTES_MAX / stride;
    blocks->room = fitting < BLOCK_GROUPS_MIN   ? BLOCK_GROUPS_MIN
                   : fitting > BLOCK_GROUPS_MAX ? BLOCK_GROUPS_MAX
                                                : (uint32_t)fitting;
    for (unsigned p = 0; p < AGGREGATE_PARTITIONS; p++) {
        struct spill_block *block = &blocks->items[p];
        block->keys = oriel_arena_allocate(arena, blocks->room * sizeof *block->keys);
        block->times_ms = oriel_arena_allocate(arena, 2 * blocks->room * sizeof(int64_t));
        block->states = oriel_arena_allocate(arena, blocks->room * stride);
        if (!block->keys || !block->times_ms || !block->states)
            return oriel_error_memory(error);
    }
    return ORIEL_OK;
}

enum oriel_status aggregate_spill_store(struct aggregate_spill *spill, unsigned worker,
                                        struct aggregate_store *store, struct oriel_error *error) {
    ORIEL_TRY(open_file(spill, error));
    struct oriel_arena arena;
    struct spill_blocks blocks = {
        .store = store, .partitions = &spill->partitions[worker * (size_t)AGGREGATE_PARTITIONS]};
    oriel_arena_init(&arena, spill->layout->runtime->memory);
    oriel_memory_borrow(arena.memory);
    enum oriel_status status = aggregate_store_finish(store, error);
    if (status == ORIEL_OK)
        status = open_blocks(&blocks, &arena, error);
    if (status == ORIEL_OK)
        status = write_groups(&blocks, error);
    oriel_arena_deinit(&arena);
    if (status == ORIEL_OK) {
        aggregate_store_close(store);
        status = aggregate_store_open(store, spill->layout, error);
    }
    oriel_memory_repay(arena.memory);
    return status;
}
