/*
 * The keys of the current HOP window, and their running sums.
 */
#include <string.h>

#include "engine/exec/aggregate_hop.h"
#include "kernels/kernels.h"

static size_t stride_of(const struct aggregate_reader *reader) {
    return reader->source->merged->layout->stride_bytes;
}

enum oriel_status hop_groups_reserve(struct aggregate_reader *reader, size_t count,
                                     struct hop_groups *groups, struct oriel_error *error) {
    struct oriel_arena *arena = &reader->arena;
    if (count > UINT32_MAX)
        return oriel_error_set(error, ORIEL_MEMORY, "more than 2^32 groups in a window");
    *groups = (struct hop_groups){
        .keys = oriel_arena_allocate(arena, count * sizeof(uint64_t)),
        .order = oriel_arena_allocate(arena, count * sizeof(uint32_t)),
        .scratch_keys = oriel_arena_allocate(arena, count * sizeof(uint64_t)),
        .scratch_order = oriel_arena_allocate(arena, count * sizeof(uint32_t)),
        .slices = oriel_arena_allocate(arena, count * sizeof(uint32_t)),
        .states = oriel_arena_allocate(arena, count * stride_of(reader)),
    };
    return groups->keys && groups->order && groups->scratch_keys && groups->scratch_order &&
                   groups->slices && groups->states
               ? ORIEL_OK
               : oriel_error_memory(error);
}

void hop_groups_sort(const struct aggregate_reader *reader, struct hop_groups *groups) {
    reader->source->merged->layout->runtime->kernels->radix_sort_u64(
        groups->keys, groups->order, groups->count, groups->scratch_keys, groups->scratch_order);
}

static enum oriel_status reserve_keys(struct aggregate_reader *reader, struct hop_keys *keys,
                                      size_t count, struct oriel_error *error) {
    if (count <= keys->capacity)
        return ORIEL_OK;
    const size_t capacity = count + count / 2;
    struct hop_key *items = oriel_arena_allocate(&reader->arena, capacity * sizeof *items);
    struct hop_key *scratch = oriel_arena_allocate(&reader->arena, capacity * sizeof *items);
    if (!items || !scratch)
        return oriel_error_memory(error);
    if (keys->count)
        memcpy(items, keys->items, keys->count * sizeof *items);
    keys->items = items;
    keys->scratch = scratch;
    keys->capacity = capacity;
    return ORIEL_OK;
}

enum oriel_status hop_keys_begin(struct aggregate_reader *reader, const struct hop_groups *groups,
                                 struct hop_keys *keys, struct oriel_error *error) {
    size_t count = 0;
    for (size_t i = 0; i < groups->count; i++)
        count += i == 0 || groups->keys[i] != groups->keys[i - 1];
    ORIEL_TRY(reserve_keys(reader, keys, count, error));
    for (size_t i = 0; i < groups->count; i++) {
        if (i == 0 || groups->keys[i] != groups->keys[i - 1])
            keys->items[keys->count++] =
                (struct hop_key){.rank = (uint32_t)groups->keys[i], .begin = (uint32_t)i};
        keys->items[keys->count - 1].end = (uint32_t)i + 1;
    }
    return ORIEL_OK;
}

/* Adds `states` to the running sum of a key. */
static enum oriel_status add_running(struct aggregate_reader *reader, struct hop_keys *keys,
                                     struct hop_key *key, const char *states,
                                     struct oriel_error *error) {
    const struct aggregate_layout *layout = reader->source->merged->layout;
    const size_t stride = layout->stride_bytes;
    const bool fresh = !key->running;
    if (fresh && keys->state_count == keys->state_capacity) {
        const size_t capacity = keys->state_capacity ? 2 * keys->state_capacity : 64;
        char *grown = oriel_arena_allocate(&reader->arena, capacity * stride);
        if (!grown)
            return oriel_error_memory(error);
        if (keys->state_count)
            memcpy(grown, keys->states, keys->state_count * stride);
        keys->states = grown;
        keys->state_capacity = capacity;
    }
    if (fresh)
        key->running = (uint32_t)++keys->state_count;
    char *into = keys->states + (key->running - 1) * stride;
    if (fresh && !layout->plain_states)
        memset(into, 0, stride);
    return aggregate_merge_states(layout, &reader->arena, false, fresh, into, states, error);
}

enum oriel_status hop_keys_add(struct aggregate_reader *reader, struct hop_keys *keys,
                               struct oriel_error *error) {
    const struct aggregate_sum *sum = &reader->sum;
    ORIEL_TRY(reserve_keys(reader, keys, keys->count + sum->count, error));
    struct hop_key *merged = keys->scratch;
    size_t count = 0, at = 0;
    for (size_t k = 0; k < keys->count || at < sum->count; count++) {
        const bool known =
            k < keys->count && (at == sum->count || keys->items[k].rank <= sum->ranks[at]);
        merged[count] = known ? keys->items[k++] : (struct hop_key){.rank = sum->ranks[at]};
        if (at < sum->count && sum->ranks[at] == merged[count].rank)
            ORIEL_TRY(add_running(reader, keys, &merged[count], sum->states[at++], error));
    }
    keys->scratch = keys->items;
    keys->items = merged;
    keys->count = count;
    return ORIEL_OK;
}
