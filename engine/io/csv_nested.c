/*
 * ARRAY and ROW fields: one level, elements between array delimiters, as Jackson's schema has them.
 * An empty field is an empty ARRAY and a NULL ROW. The null literal holds for elements.
 */
#include <string.h>

#include "engine/io/csv_reader.h"

static size_t count_elements(struct oriel_text text, struct oriel_text delimiter) {
    size_t count = 1;
    const char *at = text.bytes;
    size_t left = text.length;
    const char *found;
    while ((found = memmem(at, left, delimiter.bytes, delimiter.length)) != NULL) {
        count++;
        left -= (size_t)(found - at) + delimiter.length;
        at = found + delimiter.length;
    }
    return count;
}

/* Cuts the first element off. */
static struct oriel_text next_element(struct oriel_text *rest, struct oriel_text delimiter) {
    struct oriel_text element = *rest;
    const char *found = memmem(rest->bytes, rest->length, delimiter.bytes, delimiter.length);
    if (found) {
        element.length = (size_t)(found - rest->bytes);
        rest->length -= element.length + delimiter.length;
        rest->bytes = found + delimiter.length;
    } else {
        rest->bytes += rest->length;
        rest->length = 0;
    }
    return element;
}

struct elements {
    uint32_t slot_count;
    uint64_t *valid;
    oriel_u128 *slots;
    bool has_null;
    bool lenient;
};

static enum csv_value_result add_element(const struct csv_source *source, struct oriel_arena *arena,
                                         const struct oriel_type *type, struct oriel_text text,
                                         struct elements *elements, uint32_t slot) {
    enum csv_value_result result = CSV_VALUE_NULL;
    if (!csv_is_null_literal(&source->options, text, false))
        result = csv_value_parse(type, arena, text, &elements->slots[slot]);
    if (result == CSV_VALUE_BAD && source->options.ignore_parse_errors)
        result = CSV_VALUE_NULL;
    if (result == CSV_VALUE_NULL) {
        elements->slots[slot] = 0;
        elements->has_null = true;
        return CSV_VALUE_OK;
    }
    if (result == CSV_VALUE_LENIENT) {
        elements->lenient = true;
        result = CSV_VALUE_OK;
    }
    oriel_bits_set(elements->valid, slot);
    return result;
}

static enum csv_value_result store(const struct elements *elements, struct oriel_arena *arena,
                                   void *out) {
    struct oriel_nested *nested = oriel_arena_allocate(arena, sizeof *nested);
    if (!nested)
        return CSV_VALUE_MEMORY;
    *nested = (struct oriel_nested){
        .count = elements->slot_count,
        .valid = elements->has_null ? elements->valid : NULL,
        .slots = elements->slots,
    };
    memcpy(out, &nested, sizeof nested);
    return elements->lenient ? CSV_VALUE_LENIENT : CSV_VALUE_OK;
}

enum csv_value_result csv_value_nested(const struct csv_source *source, struct oriel_arena *arena,
                                       const struct oriel_type *type, struct oriel_text text,
                                       void *out) {
    const struct oriel_text delimiter = {source->options.array_delimiter,
                                         source->options.array_delimiter_length};
    const bool is_row = type->id == ORIEL_TYPE_ROW;
    const size_t given = text.length ? count_elements(text, delimiter) : 0;
    if (is_row && given == 0)
        return CSV_VALUE_NULL;
    if (is_row && given < type->field_count && !source->options.ignore_parse_errors)
        return CSV_VALUE_BAD;
    const size_t slots = is_row ? type->field_count : given;
    struct elements elements = {
        .slot_count = (uint32_t)slots,
        .valid = oriel_arena_allocate_zeroed(arena, oriel_bits_word_count(slots) + 1, 8),
        .slots = oriel_arena_allocate_zeroed(arena, slots + 1, sizeof(oriel_u128)),
    };
    if (!elements.valid || !elements.slots)
        return CSV_VALUE_MEMORY;
    for (uint32_t i = 0; i < slots; i++) {
        if (i >= given) {
            elements.has_null = true;
            continue;
        }
        const struct oriel_text element = next_element(&text, delimiter);
        const enum csv_value_result result =
            add_element(source, arena, &type->fields[is_row ? i : 0].type, element, &elements, i);
        if (result != CSV_VALUE_OK)
            return result;
    }
    return store(&elements, arena, out);
}
