/*
 * The way of groups with many keys into packed pieces that hold their keys. A key is a word or two
 * for each column and one with the bits of its NULLs.
 */
#include "engine/exec/aggregate_radix.h"

#include <string.h>

#include "kernels/kernels.h"

enum {
    GROUPS_FIRST = 1 << 14, /* in one worker, that stay in the cache */
    GROUPS_MAX = 1 << 20,
    PIECE_ROWS_MIN = 64, /* on average; fewer: more groups are kept */
};

bool aggregate_radix_possible(const struct aggregate_layout *layout) {
    const uint32_t columns = layout->key_schema.field_count;
    if (!layout->window || (layout->window->kind != ORIEL_WINDOW_TUMBLE && !layout->copies) ||
        columns == 0 || columns > 64 || layout->set_count > 1 || layout->sort_count != columns)
        return false;
    for (uint32_t c = 0; c < columns; c++) {
        if (oriel_type_physical(&layout->key_schema.fields[c].type) == ORIEL_PHYSICAL_NESTED)
            return false;
    }
    return true;
}

/* Writes row `key` of the key table to the words of the next row of a piece. */
static enum oriel_status pack_key(struct aggregate_store *store, uint32_t key,
                                  struct oriel_error *error) {
    const struct oriel_column *columns = store->keys.keys.columns;
    uint64_t *to = store->piece_words + store->piece_row_count;
    uint64_t nulls = 0;
    for (uint32_t c = 0; c < store->layout->key_schema.field_count; c++) {
        const enum oriel_physical physical = oriel_type_physical(&columns[c].type);
        const size_t size = oriel_physical_size(physical);
        uint64_t words[2] = {0, 0};
        if (oriel_column_is_null(&columns[c], key))
            nulls |= UINT64_C(1) << c;
        else
            memcpy(words, (const char *)columns[c].values + key * size, size);
        if (physical == ORIEL_PHYSICAL_STRING && (uint32_t)words[0] > ORIEL_STRING_INLINE_BYTES) {
            const struct oriel_string *text = &oriel_column_strings(&columns[c])[key];
            const char *bytes = oriel_arena_copy(&store->arena, text->bytes, text->length);
            if (!bytes)
                return oriel_error_memory(error);
            const struct oriel_string copy = oriel_string_make(bytes, text->length);
            memcpy(words, &copy, sizeof copy);
        }
        *to = words[0];
        to += AGGREGATE_PIECE_ROWS;
        if (size > sizeof(uint64_t)) {
            *to = words[1];
            to += AGGREGATE_PIECE_ROWS;
        }
    }
    *to = nulls;
    return ORIEL_OK;
}

static enum oriel_status pack_group(struct aggregate_store *store, uint32_t key, const char *states,
                                    struct aggregate_piece **newest, struct oriel_error *error) {
    if (store->piece_row_count == AGGREGATE_PIECE_ROWS)
        ORIEL_TRY(aggregate_pack_write(store, newest, error));
    ORIEL_TRY(pack_key(store, key, error));
    aggregate_pack_states(store, states);
    return ORIEL_OK;
}

/* Forgets groups and keys, keeps the room. */
static void start_anew(struct aggregate_store *store) {
    if (store->group_count)
        memset(store->states, 0, store->group_count * store->layout->stride_bytes);
    if (store->pair_slot_count)
        memset(store->pair_slots, 0, store->pair_slot_count * sizeof *store->pair_slots);
    store->group_count = 0;
    oriel_key_table_clear(&store->keys);
}

static enum oriel_status pack_ordered(struct aggregate_store *store, const uint64_t *slices,
                                      const uint32_t *groups, struct oriel_error *error) {
    const size_t stride = store->layout->stride_bytes;
    uint32_t piece_count = 0;
    for (uint32_t i = 0; i < store->group_count; i++) {
        struct aggregate_slice *slice = &store->slices[slices[i]];
        ORIEL_TRY(pack_group(store, store->group_keys[groups[i]],
                             store->states + groups[i] * stride, &slice->pieces, error));
        slice->packed_count++;
        if (i + 1 == store->group_count || slices[i + 1] != slices[i]) {
            ORIEL_TRY(aggregate_pack_write(store, &slice->pieces, error));
            piece_count++;
        }
    }
    if (store->group_count < piece_count * PIECE_ROWS_MIN && store->groups_kept < GROUPS_MAX)
        store->groups_kept *= 2;
    start_anew(store);
    return ORIEL_OK;
}

enum oriel_status aggregate_radix_pack(struct aggregate_store *store, struct oriel_error *error) {
    struct oriel_memory *memory = store->layout->runtime->memory;
    const size_t count = store->group_count;
    if (count == 0)
        return ORIEL_OK;
    uint64_t *slices = oriel_memory_allocate(memory, 2 * count * sizeof *slices);
    uint32_t *groups = oriel_memory_allocate(memory, 2 * count * sizeof *groups);
    enum oriel_status status = ORIEL_OK;
    if (slices && groups) {
        for (uint32_t g = 0; g < count; g++) {
            slices[g] = store->group_slices[g];
            groups[g] = g;
        }
        store->layout->runtime->kernels->radix_sort_u64(slices, groups, count, slices + count,
                                                        groups + count);
        status = pack_ordered(store, slices, groups, error);
    } else {
        status = oriel_error_memory(error);
    }
    oriel_memory_release(memory, slices, 2 * count * sizeof *slices);
    oriel_memory_release(memory, groups, 2 * count * sizeof *groups);
    return status;
}

enum oriel_status aggregate_radix_prepare(struct aggregate_store *store, size_t row_count,
                                          struct oriel_error *error) {
    if (!store->keyed || store->group_count + row_count <= store->groups_kept)
        return ORIEL_OK;
    return aggregate_radix_pack(store, error);
}

/* Groups on their way from the dense form. */
struct turning {
    struct aggregate_store *store;
    uint32_t slice;
    struct aggregate_piece **newest; /* of each slice */
};

static enum oriel_status turn_group(void *context, uint32_t key, const int64_t times_ms[2],
                                    const char *states, struct oriel_error *error) {
    struct turning *turning = context;
    struct aggregate_store *store = turning->store;
    if (store->slices[turning->slice].start_ms != times_ms[0]) {
        ORIEL_TRY(aggregate_pack_write(store, &turning->newest[turning->slice], error));
        turning->slice = aggregate_store_slice_at(store, times_ms[0]);
    }
    store->slices[turning->slice].packed_count++;
    return pack_group(store, key, states, &turning->newest[turning->slice], error);
}

void aggregate_radix_open(struct aggregate_store *store) {
    store->form = AGGREGATE_HASHED;
    store->keyed = true;
    store->groups_kept = GROUPS_FIRST;
}

enum oriel_status aggregate_radix_begin(struct aggregate_store *store, struct oriel_error *error) {
    struct oriel_memory *memory = store->layout->runtime->memory;
    const uint32_t slice_count = store->slice_count;
    struct turning turning = {
        .store = store,
        .newest = oriel_memory_allocate_zeroed(memory, slice_count + 1u, sizeof(void *)),
    };
    if (!turning.newest)
        return oriel_error_memory(error);
    enum oriel_status status = aggregate_dense_leave(store, error);
    store->keyed = true;
    for (uint32_t s = 0; s < slice_count; s++)
        store->slices[s].packed_count = 0;
    if (status == ORIEL_OK)
        status = aggregate_store_each(store, turn_group, &turning, error);
    if (status == ORIEL_OK && slice_count)
        status = aggregate_pack_write(store, &turning.newest[turning.slice], error);
    for (uint32_t s = 0; s < slice_count && status == ORIEL_OK; s++)
        store->slices[s].pieces = turning.newest[s];
    oriel_memory_release(memory, turning.newest, (slice_count + 1u) * sizeof(void *));
    aggregate_radix_open(store);
    start_anew(store);
    return status;
}
