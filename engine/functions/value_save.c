/*
 * Saved values: fixed types as they are, strings behind their length, nested values slot by slot
 * with a byte each that says whether it is NULL.
 */
#include "engine/functions/value_save.h"

static const struct oriel_nested *nested_of(const void *value) {
    const struct oriel_nested *nested;
    memcpy(&nested, value, sizeof nested);
    return nested;
}

size_t oriel_value_saved_bytes(const struct oriel_type *type, const void *value) {
    const enum oriel_physical physical = oriel_type_physical(type);
    if (physical == ORIEL_PHYSICAL_STRING)
        return sizeof(uint32_t) + ((const struct oriel_string *)value)->length;
    if (physical != ORIEL_PHYSICAL_NESTED)
        return oriel_physical_size(physical);
    const struct oriel_nested *nested = nested_of(value);
    const uint32_t slot_count = oriel_nested_slot_count(type, nested);
    size_t size = sizeof nested->count + slot_count;
    for (uint32_t i = 0; i < slot_count; i++) {
        if (oriel_bits_get(nested->valid, i))
            size += oriel_value_saved_bytes(oriel_nested_slot_type(type, i), &nested->slots[i]);
    }
    return size;
}

static char *put(char *out, const void *bytes, size_t size) {
    if (size)
        memcpy(out, bytes, size);
    return out + size;
}

char *oriel_value_save(const struct oriel_type *type, const void *value, char *out) {
    const enum oriel_physical physical = oriel_type_physical(type);
    if (physical == ORIEL_PHYSICAL_STRING) {
        const struct oriel_string *string = value;
        out = put(out, &string->length, sizeof string->length);
        return put(out, oriel_string_bytes(string), string->length);
    }
    if (physical != ORIEL_PHYSICAL_NESTED)
        return put(out, value, oriel_physical_size(physical));
    const struct oriel_nested *nested = nested_of(value);
    const uint32_t slot_count = oriel_nested_slot_count(type, nested);
    out = put(out, &nested->count, sizeof nested->count);
    for (uint32_t i = 0; i < slot_count; i++) {
        const char valid = (char)oriel_bits_get(nested->valid, i);
        out = put(out, &valid, 1);
        if (valid)
            out = oriel_value_save(oriel_nested_slot_type(type, i), &nested->slots[i], out);
    }
    return out;
}

static const char *load_string(const char *bytes, struct oriel_arena *arena, void *value) {
    uint32_t length;
    memcpy(&length, bytes, sizeof length);
    bytes += sizeof length;
    struct oriel_string string = oriel_string_make(bytes, length);
    if (length > ORIEL_STRING_INLINE_BYTES) {
        string.bytes = oriel_arena_copy(arena, bytes, length);
        if (!string.bytes)
            return NULL;
    }
    memcpy(value, &string, sizeof string);
    return bytes + length;
}

static const char *load_nested(const struct oriel_type *type, const char *bytes,
                               struct oriel_arena *arena, void *value) {
    struct oriel_nested *nested = oriel_arena_allocate_zeroed(arena, 1, sizeof *nested);
    if (!nested)
        return NULL;
    memcpy(&nested->count, bytes, sizeof nested->count);
    bytes += sizeof nested->count;
    const uint32_t slot_count = oriel_nested_slot_count(type, nested);
    oriel_u128 *slots = oriel_arena_allocate_zeroed(arena, slot_count + 1u, sizeof *slots);
    uint64_t *valid =
        oriel_arena_allocate_zeroed(arena, oriel_bits_word_count(slot_count) + 1, sizeof *valid);
    if (!slots || !valid)
        return NULL;
    for (uint32_t i = 0; i < slot_count && bytes; i++) {
        if (!*bytes++)
            continue;
        oriel_bits_set(valid, i);
        bytes = oriel_value_load(oriel_nested_slot_type(type, i), bytes, arena, &slots[i]);
    }
    nested->slots = slots;
    nested->valid = valid;
    memcpy(value, &nested, sizeof nested);
    return bytes;
}

const char *oriel_value_load(const struct oriel_type *type, const char *bytes,
                             struct oriel_arena *arena, void *value) {
    const enum oriel_physical physical = oriel_type_physical(type);
    if (physical == ORIEL_PHYSICAL_STRING)
        return load_string(bytes, arena, value);
    if (physical == ORIEL_PHYSICAL_NESTED)
        return load_nested(type, bytes, arena, value);
    const size_t size = oriel_physical_size(physical);
    memcpy(value, bytes, size);
    return bytes + size;
}
