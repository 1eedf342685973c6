/*
 * Lists of values as bytes for spilling: the number of rows, then row by row the place, and for
 * each column a byte that says whether there is a value, and the value.
 */
#include <string.h>

#include "engine/functions/value_list_chunk.h"
#include "engine/functions/value_save.h"

struct saving {
    const struct oriel_list_layout *layout;
    size_t size_bytes;
    char *out;
};

static void count_chunk(void *context, uint64_t index, const struct oriel_list_chunk *chunk,
                        uint32_t count) {
    (void)index;
    struct saving *saving = context;
    const struct oriel_list_layout *layout = saving->layout;
    saving->size_bytes += count * ((layout->ordered ? sizeof(uint64_t) : 0) + layout->column_count);
    for (uint32_t c = 0; c < layout->column_count; c++) {
        const uint64_t *words = oriel_list_words(layout, chunk, c);
        const char *values = oriel_list_values(layout, chunk, c);
        for (uint32_t i = 0; i < count; i++) {
            if (oriel_bits_get(words, i))
                saving->size_bytes += oriel_value_saved_bytes(
                    &layout->types[c], values + i * oriel_list_value_size(layout, c));
        }
    }
}

static void save_chunk(void *context, uint64_t index, const struct oriel_list_chunk *chunk,
                       uint32_t count) {
    (void)index;
    struct saving *saving = context;
    const struct oriel_list_layout *layout = saving->layout;
    for (uint32_t i = 0; i < count; i++) {
        if (layout->ordered) {
            memcpy(saving->out, &oriel_list_places(chunk)[i], sizeof(uint64_t));
            saving->out += sizeof(uint64_t);
        }
        for (uint32_t c = 0; c < layout->column_count; c++) {
            const bool present = oriel_bits_get(oriel_list_words(layout, chunk, c), i);
            *saving->out++ = (char)present;
            if (present)
                saving->out = oriel_value_save(&layout->types[c],
                                               oriel_list_values(layout, chunk, c) +
                                                   i * oriel_list_value_size(layout, c),
                                               saving->out);
        }
    }
}

size_t oriel_value_list_saved_bytes(const struct oriel_list_layout *layout,
                                    const struct oriel_value_list *list) {
    struct saving saving = {.layout = layout, .size_bytes = sizeof list->count};
    oriel_list_walk(list, count_chunk, &saving);
    return saving.size_bytes;
}

void oriel_value_list_save(const struct oriel_list_layout *layout,
                           const struct oriel_value_list *list, char *out) {
    memcpy(out, &list->count, sizeof list->count);
    struct saving saving = {.layout = layout, .out = out + sizeof list->count};
    oriel_list_walk(list, save_chunk, &saving);
}

/* A string is borrowed: adding it to the list copies it. */
static const char *load_value(const struct oriel_type *type, const char *bytes,
                              struct oriel_arena *arena, void *value) {
    if (oriel_type_physical(type) != ORIEL_PHYSICAL_STRING)
        return oriel_value_load(type, bytes, arena, value);
    uint32_t length;
    memcpy(&length, bytes, sizeof length);
    const struct oriel_string string = oriel_string_make(bytes + sizeof length, length);
    memcpy(value, &string, sizeof string);
    return bytes + sizeof length + length;
}

bool oriel_value_list_load(const struct oriel_list_layout *layout, struct oriel_value_list *list,
                           const char *bytes, struct oriel_arena *arena) {
    uint64_t count, place = 0;
    memcpy(&count, bytes, sizeof count);
    bytes += sizeof count;
    for (uint64_t i = 0; i < count; i++) {
        oriel_u128 values[ORIEL_LIST_COLUMNS_MAX] = {0};
        uint64_t valid[ORIEL_LIST_COLUMNS_MAX] = {0};
        struct oriel_column columns[ORIEL_LIST_COLUMNS_MAX];
        if (layout->ordered) {
            memcpy(&place, bytes, sizeof place);
            bytes += sizeof place;
        }
        for (uint32_t c = 0; c < layout->column_count; c++) {
            valid[c] = (uint64_t)*bytes++;
            if (valid[c])
                bytes = load_value(&layout->types[c], bytes, arena, &values[c]);
            if (!bytes)
                return false;
            columns[c] = (struct oriel_column){
                .type = layout->types[c], .values = &values[c], .valid = &valid[c]};
        }
        if (!oriel_value_list_add(layout, list, columns, 0, place, arena))
            return false;
    }
    return true;
}
