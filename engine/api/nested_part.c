/*
 * Gathers slots of nested values into flat columns, for formats that lay nested values out by part.
 */
#include "engine/api/nested_part.h"

#include <string.h>

static const struct oriel_nested *nested_at(const struct oriel_column *column, size_t row) {
    return oriel_column_is_null(column, row)
               ? NULL
               : ((const struct oriel_nested *const *)column->values)[row];
}

bool oriel_nested_offsets(const struct oriel_column *column, size_t first, size_t count,
                          int32_t *offsets) {
    int64_t end = 0;
    offsets[0] = 0;
    for (size_t i = 0; i < count; i++) {
        const struct oriel_nested *value = nested_at(column, first + i);
        end += value ? value->count : 0;
        if (end > INT32_MAX)
            return false;
        offsets[i + 1] = (int32_t)end;
    }
    return true;
}

static size_t value_bytes(const struct oriel_nested_part *part) {
    return oriel_physical_size(oriel_type_physical(&part->column->type.fields[part->slot].type));
}

/* Copies slot `slot` of `value` to row `at`. */
static void copy_slot(const struct oriel_nested *value, uint32_t slot, size_t size_bytes,
                      struct oriel_column *out, size_t at) {
    if (oriel_bits_get(value->valid, slot))
        memcpy((char *)out->values + at * size_bytes, &value->slots[slot], size_bytes);
    else
        oriel_column_set_null(out, at);
}

enum oriel_status oriel_nested_part_gather(struct oriel_memory *memory,
                                           const struct oriel_nested_part *part,
                                           struct oriel_column *out, struct oriel_error *error) {
    const enum oriel_type_id id = part->column->type.id;
    const size_t size_bytes = value_bytes(part);
    *out = (struct oriel_column){.type = part->column->type.fields[part->slot].type};
    out->values = oriel_memory_allocate_zeroed(memory, part->count + 1, size_bytes);
    out->valid =
        oriel_memory_allocate(memory, oriel_bits_word_count(part->count + 1) * sizeof *out->valid);
    if (!out->values || !out->valid) {
        oriel_nested_part_release(memory, part, out);
        return oriel_error_memory(error);
    }
    memset(out->valid, 0xff, oriel_bits_word_count(part->count + 1) * sizeof *out->valid);
    size_t at = 0;
    for (size_t i = 0; i < part->rows; i++) {
        const struct oriel_nested *value = nested_at(part->column, part->first + i);
        if (id == ORIEL_TYPE_ROW && !value)
            oriel_column_set_null(out, at++);
        else if (id == ORIEL_TYPE_ROW)
            copy_slot(value, part->slot, size_bytes, out, at++);
        for (uint32_t k = 0; id != ORIEL_TYPE_ROW && value && k < value->count; k++)
            copy_slot(value, id == ORIEL_TYPE_MAP ? 2 * k + part->slot : k, size_bytes, out, at++);
    }
    return ORIEL_OK;
}

void oriel_nested_part_release(struct oriel_memory *memory, const struct oriel_nested_part *part,
                               struct oriel_column *column) {
    oriel_memory_release(memory, column->values, (part->count + 1) * value_bytes(part));
    oriel_memory_release(memory, column->valid,
                         oriel_bits_word_count(part->count + 1) * sizeof *column->valid);
}
