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
    LOOSE_ROUNDS = 15,   /* between two with a search */
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

/* A string as it stays when the key table forgets it. */
static enum oriel_status keep_string(struct aggregate_store *store, uint64_t words[2],
                                     struct oriel_error *error) {
    struct oriel_string text;
    memcpy(&text, words, sizeof text);
    if (text.length <= ORIEL_STRING_INLINE_BYTES)
        return ORIEL_OK;
    const char *bytes = oriel_arena_copy(&store->arena, text.bytes, text.length);
    if (!bytes)
        return oriel_error_memory(error);
    const struct oriel_string copy = oriel_string_make(bytes, text.length);
    memcpy(words, &copy, sizeof copy);
    return ORIEL_OK;
}

/* Writes the values of column c of the keys to `to`, a word or two each; marks NULLs. */
static enum oriel_status pack_column(struct aggregate_store *store, uint32_t c,
                                     const uint32_t *keys, uint32_t count, uint64_t *to,
                                     uint64_t *nulls, struct oriel_error *error) {
    const struct oriel_column *column = &store->keys.keys.columns[c];
    const uint32_t size = store->layout->key_sizes[c];
    const bool is_string = oriel_type_physical(&column->type) == ORIEL_PHYSICAL_STRING;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t words[2] = {0, 0};
        if (oriel_column_is_null(column, keys[i]))
            nulls[i] |= UINT64_C(1) << c;
        else if (size == sizeof(uint64_t))
            words[0] = ((const uint64_t *)column->values)[keys[i]];
        else
            memcpy(words, (const char *)column->values + (size_t)keys[i] * size, size);
        if (is_string)
            ORIEL_TRY(keep_string(store, words, error));
        to[i] = words[0];
        if (size > sizeof(uint64_t))
            to[i + AGGREGATE_PIECE_ROWS] = words[1];
    }
    return ORIEL_OK;
}

/* Makes a piece of up to AGGREGATE_PIECE_ROWS groups; group i has states[i]. */
static enum oriel_status pack_groups(struct aggregate_store *store, const uint32_t *keys,
                                     const char *const *states, uint32_t count,
                                     struct aggregate_piece **newest, struct oriel_error *error) {
    const uint32_t columns = store->layout->key_schema.field_count;
    const uint32_t lead = aggregate_keyed_lead(store->layout);
    const uint32_t words = aggregate_state_words(store->layout);
    uint64_t *nulls = store->piece_words + (size_t)(lead - 1) * AGGREGATE_PIECE_ROWS;
    uint64_t *to = store->piece_words;
    memset(nulls, 0, count * sizeof *nulls);
    for (uint32_t c = 0; c < columns; c++) {
        ORIEL_TRY(pack_column(store, c, keys, count, to, nulls, error));
        to += (store->layout->key_sizes[c] > sizeof *to ? 2 : 1) * (size_t)AGGREGATE_PIECE_ROWS;
    }
    to = nulls + AGGREGATE_PIECE_ROWS;
    for (uint32_t w = 0; w < words; w++, to += AGGREGATE_PIECE_ROWS) {
        for (uint32_t i = 0; i < count; i++)
            memcpy(&to[i], states[i] + w * sizeof *to, sizeof *to);
    }
    store->piece_row_count = count;
    return aggregate_pack_write(store, newest, error);
}

/* Forgets groups and keys, keeps the room. */
static void start_anew(struct aggregate_store *store) {
    if (store->group_count)
        memset(store->states, 0, store->group_count * store->layout->stride_bytes);
    store->group_count = 0;
    if (store->loose_rounds) {
        oriel_table_clear(&store->keys.keys);
        return;
    }
    if (store->pair_slot_count)
        memset(store->pair_slots, 0, store->pair_slot_count * sizeof *store->pair_slots);
    oriel_key_table_clear(&store->keys);
}

static enum oriel_status pack_ordered(struct aggregate_store *store, const uint64_t *slices,
                                      const uint32_t *groups, struct oriel_error *error) {
    const size_t stride = store->layout->stride_bytes;
    uint32_t keys[AGGREGATE_PIECE_ROWS];
    const char *states[AGGREGATE_PIECE_ROWS];
    uint32_t piece_count = 0, count = 0;
    for (uint32_t i = 0; i < store->group_count; i++) {
        struct aggregate_slice *slice = &store->slices[slices[i]];
        keys[count] = store->group_keys[groups[i]];
        states[count++] = store->states + groups[i] * stride;
        const bool last = i + 1 == store->group_count || slices[i + 1] != slices[i];
        if (last || count == AGGREGATE_PIECE_ROWS) {
            ORIEL_TRY(pack_groups(store, keys, states, count, &slice->pieces, error));
            slice->packed_count += count;
            piece_count += last;
            count = 0;
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
    if (count == 0) {
        start_anew(store);
        return ORIEL_OK;
    }
    uint64_t *slices = oriel_memory_allocate(memory, 2 * count * sizeof *slices);
    uint32_t *groups = oriel_memory_allocate(memory, 2 * count * sizeof *groups);
    enum oriel_status status = ORIEL_OK;
    if (slices && groups) {
        bool ordered = true;
        for (uint32_t g = 0; g < count; g++) {
            slices[g] = store->group_slices[g];
            groups[g] = g;
            ordered = ordered && (g == 0 || slices[g - 1] <= slices[g]);
        }
        if (!ordered)
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

/* Whether keys may be kept as they come: key tables bring floating numbers to a normal form. */
static bool may_be_loose(const struct aggregate_layout *layout) {
    for (uint32_t c = 0; c < layout->key_schema.field_count; c++) {
        const enum oriel_physical physical =
            oriel_type_physical(&layout->key_schema.fields[c].type);
        if (physical == ORIEL_PHYSICAL_F32 || physical == ORIEL_PHYSICAL_F64)
            return false;
    }
    return true;
}

enum oriel_status aggregate_radix_prepare(struct aggregate_store *store, size_t row_count,
                                          struct oriel_error *error) {
    const struct aggregate_layout *layout = store->layout;
    if (!store->keyed)
        return ORIEL_OK;
    if (store->group_count + row_count > store->groups_kept ||
        store->keys.keys.row_count + row_count > 2 * (size_t)store->groups_kept) {
        const uint64_t groups = store->group_count;
        ORIEL_TRY(aggregate_radix_pack(store, error));
        if (store->loose_rounds)
            store->loose_rounds--;
        else if (groups * 4 > store->rows_met * 3 && may_be_loose(layout))
            store->loose_rounds = LOOSE_ROUNDS;
        store->rows_met = 0;
    }
    const int64_t copies = layout->copies ? layout->window->size_ms / layout->window->slide_ms : 1;
    store->rows_met += row_count * (uint64_t)copies;
    return ORIEL_OK;
}

enum oriel_status aggregate_radix_keep_keys(struct aggregate_store *store, size_t row_count,
                                            struct oriel_error *error) {
    const struct oriel_batch keys = {.row_count = row_count,
                                     .column_count = store->layout->key_schema.field_count,
                                     .columns = store->key_columns};
    const size_t first = store->keys.keys.row_count;
    ORIEL_TRY(oriel_table_append(&store->keys.keys, &keys, NULL, 0, row_count, error));
    for (size_t i = 0; i < row_count; i++)
        store->key_ids[i] = (uint32_t)(first + i);
    return ORIEL_OK;
}

enum oriel_status aggregate_radix_take_rows(struct aggregate_store *store, const uint64_t *rows,
                                            size_t row_count, struct oriel_error *error) {
    while (store->group_capacity - store->group_count < row_count)
        ORIEL_TRY(aggregate_store_grow_groups(store, error));
    uint32_t group = store->group_count;
    for (size_t i = 0; i < row_count; i++) {
        store->groups[i] = 0;
        if (rows && !oriel_bits_get(rows, i))
            continue;
        const int64_t start_ms = store->slice_starts[i];
        if (store->current_slice == AGGREGATE_NO_SLICE ||
            store->slices[store->current_slice].start_ms != start_ms)
            ORIEL_TRY(aggregate_store_slice_of(store, start_ms, &store->current_slice, error));
        store->group_keys[group] = store->key_ids[i];
        store->group_slices[group] = store->current_slice;
        store->groups[i] = group++;
    }
    store->total_count += group - store->group_count;
    store->group_count = group;
    return ORIEL_OK;
}

/* Groups on their way from the dense form. */
struct turning {
    struct aggregate_store *store;
    uint32_t slice;
    struct aggregate_piece **newest; /* of each slice */
    uint32_t count;                  /* of what follows */
    uint32_t keys[AGGREGATE_PIECE_ROWS];
    const char *states[AGGREGATE_PIECE_ROWS];
    char copies[]; /* of the states */
};

static enum oriel_status turn_groups(struct turning *turning, struct oriel_error *error) {
    const uint32_t count = turning->count;
    turning->count = 0;
    if (count == 0)
        return ORIEL_OK;
    turning->store->slices[turning->slice].packed_count += count;
    return pack_groups(turning->store, turning->keys, turning->states, count,
                       &turning->newest[turning->slice], error);
}

static enum oriel_status turn_group(void *context, uint32_t key, const int64_t times_ms[2],
                                    const char *states, struct oriel_error *error) {
    struct turning *turning = context;
    struct aggregate_store *store = turning->store;
    const size_t stride = store->layout->stride_bytes;
    const bool other = store->slices[turning->slice].start_ms != times_ms[0];
    if (other || turning->count == AGGREGATE_PIECE_ROWS)
        ORIEL_TRY(turn_groups(turning, error));
    if (other)
        turning->slice = aggregate_store_slice_at(store, times_ms[0]);
    const uint32_t at = turning->count++;
    turning->keys[at] = key;
    turning->states[at] = turning->copies + at * stride;
    memcpy(turning->copies + at * stride, states, stride);
    return ORIEL_OK;
}

void aggregate_radix_open(struct aggregate_store *store) {
    store->form = AGGREGATE_HASHED;
    store->keyed = true;
    store->groups_kept = GROUPS_FIRST;
}

static enum oriel_status turn_all(struct aggregate_store *store, struct turning *turning,
                                  struct oriel_error *error) {
    const uint32_t slice_count = store->slice_count;
    if (store->form ==
        AGGREGATE_DENSE) /* hashed groups stay in the states until they are visited */
        ORIEL_TRY(aggregate_dense_leave(store, error));
    store->keyed = true;
    for (uint32_t s = 0; s < slice_count; s++)
        store->slices[s].packed_count = 0;
    ORIEL_TRY(aggregate_store_each(store, turn_group, turning, error));
    ORIEL_TRY(turn_groups(turning, error));
    for (uint32_t s = 0; s < slice_count; s++)
        store->slices[s].pieces = turning->newest[s];
    aggregate_radix_open(store);
    start_anew(store);
    return ORIEL_OK;
}

enum oriel_status aggregate_radix_begin(struct aggregate_store *store, struct oriel_error *error) {
    struct oriel_memory *memory = store->layout->runtime->memory;
    const size_t list_bytes = (store->slice_count + 1u) * sizeof(void *);
    const size_t bytes =
        sizeof(struct turning) + AGGREGATE_PIECE_ROWS * store->layout->stride_bytes;
    struct turning *turning = oriel_memory_allocate_zeroed(memory, 1, bytes);
    struct aggregate_piece **newest = oriel_memory_allocate_zeroed(memory, 1, list_bytes);
    enum oriel_status status = ORIEL_OK;
    if (turning && newest) {
        turning->store = store;
        turning->newest = newest;
        status = turn_all(store, turning, error);
    } else {
        status = oriel_error_memory(error);
    }
    oriel_memory_release(memory, turning, bytes);
    oriel_memory_release(memory, newest, list_bytes);
    return status;
}
