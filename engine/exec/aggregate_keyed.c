/*
 * Reads the packed groups of a slice with their keys, sorts them by key and puts them out.
 */
#include <string.h>

#include "engine/exec/aggregate_radix.h"
#include "engine/exec/key_rank.h"
#include "engine/exec/row_key.h"

enum { PUT_GROUPS = 256 };

static struct oriel_memory *memory_of(const struct aggregate_keyed_slice *keyed) {
    return keyed->layout->runtime->memory;
}

static size_t views_bytes(const struct aggregate_layout *layout) {
    return layout->key_schema.field_count * sizeof(struct oriel_column);
}

void aggregate_keyed_slice_deinit(struct aggregate_keyed_slice *keyed) {
    if (!keyed->layout)
        return;
    oriel_column_buffers_deinit(&keyed->keys);
    oriel_memory_release(memory_of(keyed), keyed->states,
                         keyed->capacity * keyed->layout->stride_bytes);
    oriel_memory_release(memory_of(keyed), keyed->words,
                         2 * AGGREGATE_PIECE_ROWS * sizeof *keyed->words);
    oriel_memory_release(memory_of(keyed), keyed->views, views_bytes(keyed->layout));
    oriel_memory_release(memory_of(keyed), keyed->order, keyed->capacity * sizeof *keyed->order);
    *keyed = (struct aggregate_keyed_slice){0};
}

enum oriel_status aggregate_keyed_slice_reserve(struct aggregate_keyed_slice *keyed,
                                                const struct aggregate_layout *layout, size_t count,
                                                struct oriel_error *error) {
    if (keyed->layout && count <= keyed->capacity)
        return ORIEL_OK;
    if (count >= UINT32_MAX)
        return oriel_error_set(error, ORIEL_MEMORY, "more than 2^32 groups in a window");
    aggregate_keyed_slice_deinit(keyed);
    keyed->layout = layout;
    const size_t capacity = count + count / 4 + AGGREGATE_PIECE_ROWS;
    struct oriel_memory *memory = memory_of(keyed);
    keyed->words = oriel_memory_allocate(memory, 2 * AGGREGATE_PIECE_ROWS * sizeof *keyed->words);
    keyed->views = oriel_memory_allocate(memory, views_bytes(layout));
    if (!keyed->words || !keyed->views)
        return oriel_error_memory(error);
    ORIEL_TRY(
        oriel_column_buffers_init(&keyed->keys, memory, &layout->key_schema, capacity, error));
    keyed->states = oriel_memory_allocate(memory, capacity * layout->stride_bytes);
    keyed->order = oriel_memory_allocate(memory, capacity * sizeof *keyed->order);
    keyed->capacity = keyed->states && keyed->order ? capacity : 0;
    if (keyed->capacity)
        return ORIEL_OK;
    oriel_memory_release(memory, keyed->states, capacity * layout->stride_bytes);
    oriel_memory_release(memory, keyed->order, capacity * sizeof *keyed->order);
    keyed->states = NULL;
    keyed->order = NULL;
    return oriel_error_memory(error);
}

/* Reads the values of one key column of a piece, from column `*at` of its rows, to row `first`. */
static void read_column(struct aggregate_keyed_slice *keyed, const struct oriel_packed_rows *rows,
                        uint32_t *at, struct oriel_column *to, size_t first) {
    const struct oriel_kernels *kernels = keyed->layout->runtime->kernels;
    const size_t size = oriel_physical_size(oriel_type_physical(&to->type));
    char *values = (char *)to->values + first * size;
    if (size == 2 * sizeof(uint64_t)) {
        oriel_packed_rows_read(kernels, rows, (*at)++, 2, (uint64_t *)(void *)values);
        oriel_packed_rows_read(kernels, rows, (*at)++, 2, (uint64_t *)(void *)values + 1);
    } else if (size == sizeof(uint64_t)) {
        oriel_packed_rows_read(kernels, rows, (*at)++, 1, (uint64_t *)(void *)values);
    } else { /* little endian: the low bytes are the narrow value */
        oriel_packed_rows_read(kernels, rows, (*at)++, 1, keyed->words);
        for (uint32_t i = 0; i < rows->row_count; i++)
            memcpy(values + i * size, &keyed->words[i], size);
    }
}

void aggregate_keyed_slice_read(struct aggregate_keyed_slice *keyed,
                                const struct aggregate_piece *piece, size_t first) {
    const struct aggregate_layout *layout = keyed->layout;
    const struct oriel_packed_rows *rows = aggregate_piece_rows(piece);
    const uint32_t columns = layout->key_schema.field_count;
    const uint32_t words = aggregate_state_words(layout);
    uint32_t at = 0;
    for (uint32_t c = 0; c < columns; c++)
        read_column(keyed, rows, &at, &keyed->keys.columns[c], first);
    oriel_packed_rows_read(layout->runtime->kernels, rows, at++, 1, keyed->words);
    if (first == 0) {
        keyed->has_nulls = false;
        for (uint32_t c = 0; c < columns; c++)
            memset(keyed->keys.columns[c].valid, 0xFF,
                   oriel_bits_word_count(keyed->capacity) * sizeof(uint64_t));
    }
    const bool has_nulls = rows->columns[at - 1].width || rows->columns[at - 1].base;
    keyed->has_nulls = keyed->has_nulls || has_nulls;
    for (uint32_t i = 0; has_nulls && i < rows->row_count; i++) {
        for (uint64_t nulls = keyed->words[i]; nulls; nulls &= nulls - 1)
            oriel_bits_clear(keyed->keys.columns[__builtin_ctzll(nulls)].valid, first + i);
    }
    uint64_t *states = (uint64_t *)(void *)(keyed->states + first * layout->stride_bytes);
    for (uint32_t w = 0; w < words; w++)
        oriel_packed_rows_read(layout->runtime->kernels, rows, at + w, words, states + w);
}

static size_t read_slice(const struct aggregate_merged *merged, struct aggregate_keyed_slice *keyed,
                         uint32_t slice) {
    size_t count = 0;
    for (unsigned s = 0; s < merged->store_count; s++) {
        const uint32_t number = merged->local_slices[s][slice];
        if (number == AGGREGATE_NO_SLICE)
            continue;
        const struct aggregate_piece *piece = merged->stores[s].slices[number].pieces;
        for (; piece; piece = piece->older) {
            aggregate_keyed_slice_read(keyed, piece, count);
            count += piece->row_count;
        }
    }
    return count;
}

/* Whether two rows have the same key; most keys are one number. */
static bool same_key(const struct aggregate_layout *layout, const struct oriel_column *columns,
                     uint32_t a, uint32_t b) {
    if (layout->key_schema.field_count == 1 && layout->key_sizes[0] == sizeof(uint64_t)) {
        const uint64_t *values = columns->values;
        const int null_a = oriel_column_is_null(columns, a);
        return null_a == oriel_column_is_null(columns, b) && (null_a || values[a] == values[b]);
    }
    return oriel_row_key_equal(columns, a, columns, b, layout->key_schema.field_count);
}

/* Groups on their way out. */
struct keyed_groups {
    uint32_t count;
    uint32_t rows[PUT_GROUPS];
    const char *states[PUT_GROUPS];
};

static enum oriel_status put_some(struct aggregate_reader *reader, struct keyed_groups *groups,
                                  int64_t start_ms, int64_t end_ms, struct oriel_error *error) {
    struct aggregate_output *output = &reader->output;
    for (size_t done = 0, part; done < groups->count; done += part) {
        if (!aggregate_output_room(output))
            ORIEL_TRY(aggregate_output_flush(output, error));
        const size_t room = aggregate_output_room(output), left = groups->count - done;
        part = left < room ? left : room;
        ORIEL_TRY(aggregate_output_add_all(output, groups->rows + done, groups->states + done, part,
                                           start_ms, end_ms, error));
        aggregate_output_copy_keys(output, reader->keyed.views);
    }
    groups->count = 0;
    return aggregate_reader_spare(reader, error);
}

/* Adds up the groups of each key, in order. */
static enum oriel_status put_groups(struct aggregate_reader *reader, size_t count, int64_t start_ms,
                                    int64_t end_ms, struct oriel_error *error) {
    struct aggregate_keyed_slice *keyed = &reader->keyed;
    const struct aggregate_layout *layout = keyed->layout;
    struct keyed_groups groups = {.count = 0};
    uint32_t first = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t row = keyed->order[i];
        char *states = keyed->states + row * layout->stride_bytes;
        if (i && same_key(layout, keyed->views, first, row)) {
            ORIEL_TRY(aggregate_merge_states(layout, &reader->arena, true, false,
                                             keyed->states + first * layout->stride_bytes, states,
                                             error));
            continue;
        }
        if (groups.count == PUT_GROUPS)
            ORIEL_TRY(put_some(reader, &groups, start_ms, end_ms, error));
        groups.rows[groups.count] = first = row;
        groups.states[groups.count++] = states;
    }
    return put_some(reader, &groups, start_ms, end_ms, error);
}

enum oriel_status aggregate_keyed_slice_put(struct aggregate_reader *reader, uint32_t slice,
                                            struct oriel_error *error) {
    const struct aggregate_merged *merged = reader->source->merged;
    const struct aggregate_layout *layout = merged->layout;
    struct aggregate_keyed_slice *keyed = &reader->keyed;
    int64_t start_ms, end_ms;
    aggregate_slice_window(layout, merged->slice_starts_ms[slice], &start_ms, &end_ms);
    ORIEL_TRY(
        aggregate_keyed_slice_reserve(keyed, layout, aggregate_slice_packed(merged, slice), error));
    const size_t count = read_slice(merged, keyed, slice);
    if (count == 0)
        return ORIEL_OK;
    for (uint32_t c = 0; c < layout->key_schema.field_count; c++) {
        keyed->views[c] = keyed->keys.columns[c];
        if (!keyed->has_nulls)
            keyed->views[c].valid = NULL;
    }
    const struct oriel_table rows = {.memory = memory_of(keyed),
                                     .schema = layout->key_schema,
                                     .row_count = count,
                                     .columns = keyed->views};
    ORIEL_TRY(oriel_key_rank(layout->runtime, &rows, layout->sort_items, layout->sort_count,
                             keyed->order, error));
    return put_groups(reader, count, start_ms, end_ms, error);
}
