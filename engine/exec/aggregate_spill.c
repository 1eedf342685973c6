/*
 * Writes groups to partitions and makes the result from them. A block in a partition is: the number
 * of groups; their keys (in the stream of keys); then for each its slice or session times and its
 * states.
 */
#include "engine/exec/aggregate_spill.h"

#include <string.h>

enum { MINIMAL_GROUPS = 256, BLOCK_GROUPS = 1024 };

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
    if (store->group_count < MINIMAL_GROUPS)
        return false;
    if (oriel_spill_wanted(layout->runtime))
        return true;
    if (store->group_count + row_count <= store->group_capacity)
        return false;
    /* The next growth holds the old and the new arrays at once. */
    size_t growth = 2 * (size_t)store->group_capacity * (layout->stride_bytes + 32);
    if (store->keys_open)
        growth += 2 * oriel_key_table_bytes(&store->keys);
    return oriel_memory_available(layout->runtime->memory) < growth + growth / 4;
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

static enum oriel_status write_states(const struct aggregate_layout *layout,
                                      struct oriel_spill_stream *stream, const char *states,
                                      struct oriel_error *error) {
    if (layout->plain_states)
        return oriel_spill_append(stream, states, layout->stride_bytes, error);
    const struct oriel_plan *plan = layout->plan;
    struct oriel_memory *memory = layout->runtime->memory;
    for (uint32_t a = 0; a < plan->aggregate.aggregate_count; a++) {
        const struct oriel_aggregate_call *call = &plan->aggregate.aggregates[a];
        const char *state = states + layout->offsets[a];
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

static enum oriel_status write_block(const struct aggregate_store *store,
                                     struct aggregate_partition *partition, const uint32_t *groups,
                                     const uint32_t *keys, uint32_t count,
                                     struct oriel_error *error) {
    const struct aggregate_layout *layout = store->layout;
    ORIEL_TRY(oriel_spill_append(&partition->states, &count, sizeof count, error));
    if (store->keys_open)
        ORIEL_TRY(oriel_spill_append_rows(&partition->keys, store->keys.keys.columns,
                                          layout->key_schema.field_count, keys, 0, count, error));
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t group = groups[i];
        int64_t times[2] = {0, 0};
        if (aggregate_is_session(layout)) {
            times[0] = store->session_first_ms[group];
            times[1] = store->session_last_ms[group];
        } else {
            times[0] = store->slices[store->group_slices[group]].start_ms;
        }
        ORIEL_TRY(oriel_spill_append(&partition->states, times, sizeof times, error));
        ORIEL_TRY(write_states(layout, &partition->states,
                               store->states + group * layout->stride_bytes, error));
    }
    return ORIEL_OK;
}

static unsigned partition_of(const struct aggregate_store *store, uint32_t group) {
    if (!store->keys_open)
        return 0;
    return (unsigned)(store->keys.hashes[store->group_keys[group]] >>
                      (64 - AGGREGATE_PARTITION_BITS));
}

static enum oriel_status write_groups(struct aggregate_spill *spill, unsigned worker,
                                      const struct aggregate_store *store, uint32_t *block,
                                      struct oriel_error *error) {
    uint32_t *keys = block + AGGREGATE_PARTITIONS * BLOCK_GROUPS;
    uint32_t counts[AGGREGATE_PARTITIONS] = {0};
    struct aggregate_partition *partitions =
        &spill->partitions[worker * (size_t)AGGREGATE_PARTITIONS];
    for (uint32_t g = 0; g <= store->group_count; g++) {
        const bool end = g == store->group_count;
        for (unsigned p = end ? 0 : partition_of(store, g); p < AGGREGATE_PARTITIONS; p++) {
            const size_t at = p * (size_t)BLOCK_GROUPS;
            if (!end) {
                block[at + counts[p]] = g;
                keys[at + counts[p]++] = store->group_keys[g];
            }
            if (counts[p] == BLOCK_GROUPS || (end && counts[p])) {
                ORIEL_TRY(
                    write_block(store, &partitions[p], block + at, keys + at, counts[p], error));
                counts[p] = 0;
            }
            if (!end)
                break;
        }
    }
    for (unsigned p = 0; p < AGGREGATE_PARTITIONS; p++) {
        ORIEL_TRY(oriel_spill_flush(&partitions[p].keys, error));
        ORIEL_TRY(oriel_spill_flush(&partitions[p].states, error));
    }
    return ORIEL_OK;
}

enum oriel_status aggregate_spill_store(struct aggregate_spill *spill, unsigned worker,
                                        struct aggregate_store *store, struct oriel_error *error) {
    ORIEL_TRY(open_file(spill, error));
    struct oriel_memory *memory = spill->layout->runtime->memory;
    const size_t size = 2 * sizeof(uint32_t) * AGGREGATE_PARTITIONS * BLOCK_GROUPS;
    uint32_t *block = oriel_memory_allocate(memory, size);
    if (!block)
        return oriel_error_memory(error);
    const enum oriel_status status = write_groups(spill, worker, store, block, error);
    oriel_memory_release(memory, block, size);
    ORIEL_TRY(status);
    aggregate_store_close(store);
    return aggregate_store_open(store, spill->layout, error);
}
