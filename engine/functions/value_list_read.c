/*
 * Reading lists of values: the chunks are laid side by side. They mostly come in the order of the
 * input; only where they do not are the values sorted by place.
 */
#include <string.h>

#include "engine/functions/value_list_chunk.h"
#include "kernels/kernels.h"

/* A chunk that is read: its first `count` rows. */
struct part {
    const struct oriel_list_chunk *chunk;
    uint32_t count;
};

static void note_part(void *context, uint64_t index, const struct oriel_list_chunk *chunk,
                      uint32_t count) {
    ((struct part *)context)[index] = (struct part){chunk, count};
}

static bool list_parts(const struct oriel_value_list *list, struct oriel_arena *arena,
                       struct part **parts, size_t *part_count) {
    *part_count = oriel_list_chunk_count(list);
    *parts = oriel_arena_allocate_zeroed(arena, *part_count + 1, sizeof **parts);
    if (!*parts)
        return false;
    oriel_list_walk(list, note_part, *parts);
    return true;
}

/* Lays one column of the parts side by side. */
static bool read_column(const struct oriel_list_layout *layout, uint32_t c,
                        const struct part *parts, size_t part_count, size_t total,
                        struct oriel_arena *arena, struct oriel_column *out) {
    const size_t size = oriel_list_value_size(layout, c);
    char *values = oriel_arena_allocate(arena, total * size);
    uint64_t *valid =
        oriel_arena_allocate_zeroed(arena, oriel_bits_word_count(total) + 1, sizeof *valid);
    if (!values || !valid)
        return false;
    size_t at = 0, present = 0;
    for (size_t p = 0; p < part_count; p++) {
        const uint64_t *words = oriel_list_words(layout, parts[p].chunk, c);
        memcpy(values + at * size, oriel_list_values(layout, parts[p].chunk, c),
               parts[p].count * size);
        for (uint32_t i = 0; i < parts[p].count; i++) {
            const uint64_t bit = (uint64_t)oriel_bits_get(words, i);
            valid[(at + i) / 64] |= bit << ((at + i) % 64);
            present += bit;
        }
        at += parts[p].count;
    }
    *out = (struct oriel_column){
        .type = layout->types[c], .values = values, .valid = present == total ? NULL : valid};
    return true;
}

static bool permute(const uint32_t *order, size_t count, struct oriel_arena *arena,
                    struct oriel_column *column) {
    const size_t size = oriel_physical_size(oriel_type_physical(&column->type));
    char *values = oriel_arena_allocate(arena, count * size);
    uint64_t *valid =
        oriel_arena_allocate_zeroed(arena, oriel_bits_word_count(count) + 1, sizeof *valid);
    if (!values || !valid)
        return false;
    for (size_t i = 0; i < count; i++) {
        memcpy(values + i * size, (const char *)column->values + order[i] * size, size);
        if (oriel_bits_get(column->valid, order[i]))
            oriel_bits_set(valid, i);
    }
    column->values = values;
    if (column->valid)
        column->valid = valid;
    return true;
}

/* The order of the rows by place; *order is NULL where they are in order already. */
static bool find_order(const struct part *parts, size_t part_count, size_t total,
                       const struct oriel_runtime *runtime, struct oriel_arena *arena,
                       uint32_t **order) {
    uint64_t *places = oriel_arena_allocate(arena, total * sizeof *places);
    *order = NULL;
    if (!places)
        return false;
    size_t at = 0;
    bool sorted = true;
    for (size_t p = 0; p < part_count; p++) {
        memcpy(places + at, oriel_list_places(parts[p].chunk), parts[p].count * sizeof *places);
        at += parts[p].count;
    }
    for (size_t i = 1; i < total && sorted; i++)
        sorted = places[i - 1] <= places[i];
    if (sorted)
        return true;
    uint64_t *scratch = oriel_arena_allocate(arena, total * sizeof *scratch);
    uint32_t *scratch_order = oriel_arena_allocate(arena, total * sizeof *scratch_order);
    *order = oriel_arena_allocate(arena, total * sizeof **order);
    if (!scratch || !scratch_order || !*order)
        return false;
    for (size_t i = 0; i < total; i++)
        (*order)[i] = (uint32_t)i;
    runtime->kernels->radix_sort_u64(places, *order, total, scratch, scratch_order);
    return true;
}

enum oriel_status oriel_value_list_read(const struct oriel_list_layout *layout,
                                        const struct oriel_value_list *list,
                                        const struct oriel_runtime *runtime,
                                        struct oriel_arena *arena, struct oriel_column *columns,
                                        struct oriel_error *error) {
    struct part *parts;
    size_t part_count;
    uint32_t *order = NULL;
    const size_t total = list->count;
    if (total > UINT32_MAX - 64)
        return oriel_error_set(error, ORIEL_MEMORY, "more than 2^32 values in one group");
    if (!list_parts(list, arena, &parts, &part_count) ||
        (layout->ordered && !find_order(parts, part_count, total, runtime, arena, &order)))
        return oriel_error_memory(error);
    for (uint32_t c = 0; c < layout->column_count; c++) {
        if (!read_column(layout, c, parts, part_count, total, arena, &columns[c]) ||
            (order && !permute(order, total, arena, &columns[c])))
            return oriel_error_memory(error);
    }
    return ORIEL_OK;
}
