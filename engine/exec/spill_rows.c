/*
 * Rows as bytes: a count, then column by column a flag for validity, the validity words, and the
 * values. Strings and nested values follow their fixed parts in full; only this process reads them
 * back, so numbers stand as they lie in memory.
 */
#include "engine/exec/spill.h"

#include <string.h>

enum { BLOCK_ROWS = 512 };

/* The rows that are being written. */
struct selection {
    const uint32_t *rows; /* NULL: first, first + 1, ... */
    size_t first;
    size_t count;
};

static inline size_t row_at(const struct selection *selection, size_t i) {
    return selection->rows ? selection->rows[i] : selection->first + i;
}

static enum oriel_status append_valid(struct oriel_spill_stream *stream,
                                      const struct oriel_column *column,
                                      const struct selection *selection,
                                      struct oriel_error *error) {
    const uint8_t has_valid = column->valid != NULL;
    ORIEL_TRY(oriel_spill_append(stream, &has_valid, 1, error));
    for (size_t i = 0; has_valid && i < selection->count; i += 64) {
        uint64_t word = 0;
        for (size_t bit = 0; bit < 64 && i + bit < selection->count; bit++)
            word |= (uint64_t)oriel_bits_get(column->valid, row_at(selection, i + bit)) << bit;
        ORIEL_TRY(oriel_spill_append(stream, &word, sizeof word, error));
    }
    return ORIEL_OK;
}

static enum oriel_status append_fixed(struct oriel_spill_stream *stream,
                                      const struct oriel_column *column,
                                      const struct selection *selection, size_t width,
                                      struct oriel_error *error) {
    const char *values = column->values;
    if (!selection->rows)
        return oriel_spill_append(stream, values + selection->first * width,
                                  selection->count * width, error);
    char block[BLOCK_ROWS * 16];
    for (size_t i = 0; i < selection->count; i += BLOCK_ROWS) {
        const size_t left = selection->count - i;
        const size_t count = left < BLOCK_ROWS ? left : BLOCK_ROWS;
        for (size_t k = 0; k < count; k++)
            memcpy(block + k * width, values + selection->rows[i + k] * width, width);
        ORIEL_TRY(oriel_spill_append(stream, block, count * width, error));
    }
    return ORIEL_OK;
}

static enum oriel_status append_string(struct oriel_spill_stream *stream,
                                       const struct oriel_string *value,
                                       struct oriel_error *error) {
    ORIEL_TRY(oriel_spill_append(stream, &value->length, sizeof value->length, error));
    return oriel_spill_append(stream, oriel_string_bytes(value), value->length, error);
}

static size_t slot_count_of(const struct oriel_type *type, uint32_t count) {
    return type->id == ORIEL_TYPE_MAP ? (size_t)count * 2 : count;
}

static const struct oriel_type *slot_type(const struct oriel_type *type, size_t slot) {
    const size_t child = type->id == ORIEL_TYPE_ROW   ? slot
                         : type->id == ORIEL_TYPE_MAP ? slot % 2
                                                      : 0;
    return &type->fields[child].type;
}

static enum oriel_status append_nested(struct oriel_spill_stream *stream,
                                       const struct oriel_type *type,
                                       const struct oriel_nested *nested,
                                       struct oriel_error *error) {
    ORIEL_TRY(oriel_spill_append(stream, &nested->count, sizeof nested->count, error));
    const size_t slot_count = slot_count_of(type, nested->count);
    for (size_t i = 0; i < slot_count; i++) {
        const uint8_t valid = (uint8_t)oriel_bits_get(nested->valid, i);
        const struct oriel_type *child = slot_type(type, i);
        ORIEL_TRY(oriel_spill_append(stream, &valid, 1, error));
        if (!valid)
            continue;
        const void *slot = &nested->slots[i];
        const enum oriel_physical physical = oriel_type_physical(child);
        if (physical == ORIEL_PHYSICAL_STRING) {
            ORIEL_TRY(append_string(stream, slot, error));
        } else if (physical == ORIEL_PHYSICAL_NESTED) {
            const struct oriel_nested *inner;
            memcpy(&inner, slot, sizeof inner);
            ORIEL_TRY(append_nested(stream, child, inner, error));
        } else {
            ORIEL_TRY(oriel_spill_append(stream, slot, sizeof(oriel_u128), error));
        }
    }
    return ORIEL_OK;
}

static enum oriel_status append_column(struct oriel_spill_stream *stream,
                                       const struct oriel_column *column,
                                       const struct selection *selection,
                                       struct oriel_error *error) {
    const enum oriel_physical physical = oriel_type_physical(&column->type);
    ORIEL_TRY(append_valid(stream, column, selection, error));
    if (physical != ORIEL_PHYSICAL_STRING && physical != ORIEL_PHYSICAL_NESTED)
        return append_fixed(stream, column, selection, oriel_physical_size(physical), error);
    for (size_t i = 0; i < selection->count; i++) {
        const size_t row = row_at(selection, i);
        if (oriel_column_is_null(column, row))
            continue;
        if (physical == ORIEL_PHYSICAL_STRING)
            ORIEL_TRY(append_string(stream, oriel_column_strings(column) + row, error));
        else
            ORIEL_TRY(append_nested(stream, &column->type,
                                    ((const struct oriel_nested *const *)column->values)[row],
                                    error));
    }
    return ORIEL_OK;
}

enum oriel_status oriel_spill_append_rows(struct oriel_spill_stream *stream,
                                          const struct oriel_column *columns, uint32_t column_count,
                                          const uint32_t *rows, size_t first, size_t count,
                                          struct oriel_error *error) {
    const struct selection selection = {rows, first, count};
    const uint32_t row_count = (uint32_t)count;
    if (count == 0)
        return ORIEL_OK;
    ORIEL_TRY(oriel_spill_append(stream, &row_count, sizeof row_count, error));
    for (uint32_t c = 0; c < column_count; c++)
        ORIEL_TRY(append_column(stream, &columns[c], &selection, error));
    return ORIEL_OK;
}

static enum oriel_status read_string(struct oriel_spill_reader *reader, struct oriel_arena *arena,
                                     struct oriel_string *out, struct oriel_error *error) {
    uint32_t length;
    ORIEL_TRY(oriel_spill_read(reader, &length, sizeof length, error));
    char inlined[ORIEL_STRING_INLINE_BYTES];
    char *bytes = inlined;
    if (length > ORIEL_STRING_INLINE_BYTES)
        bytes = oriel_arena_allocate(arena, length);
    if (!bytes)
        return oriel_error_memory(error);
    ORIEL_TRY(oriel_spill_read(reader, bytes, length, error));
    *out = oriel_string_make(bytes, length);
    return ORIEL_OK;
}

static enum oriel_status read_nested(struct oriel_spill_reader *reader, struct oriel_arena *arena,
                                     const struct oriel_type *type, const struct oriel_nested **out,
                                     struct oriel_error *error) {
    uint32_t count;
    ORIEL_TRY(oriel_spill_read(reader, &count, sizeof count, error));
    const size_t slot_count = slot_count_of(type, count);
    struct oriel_nested *nested = oriel_arena_allocate_zeroed(arena, 1, sizeof *nested);
    oriel_u128 *slots = oriel_arena_allocate_zeroed(arena, slot_count, sizeof *slots);
    uint64_t *valid =
        oriel_arena_allocate_zeroed(arena, oriel_bits_word_count(slot_count), sizeof *valid);
    if (!nested || !slots || !valid)
        return oriel_error_memory(error);
    for (size_t i = 0; i < slot_count; i++) {
        uint8_t is_valid;
        ORIEL_TRY(oriel_spill_read(reader, &is_valid, 1, error));
        if (!is_valid)
            continue;
        oriel_bits_set(valid, i);
        const struct oriel_type *child = slot_type(type, i);
        const enum oriel_physical physical = oriel_type_physical(child);
        if (physical == ORIEL_PHYSICAL_STRING) {
            struct oriel_string value;
            ORIEL_TRY(read_string(reader, arena, &value, error));
            memcpy(&slots[i], &value, sizeof value);
        } else if (physical == ORIEL_PHYSICAL_NESTED) {
            const struct oriel_nested *inner;
            ORIEL_TRY(read_nested(reader, arena, child, &inner, error));
            memcpy(&slots[i], &inner, sizeof inner);
        } else {
            ORIEL_TRY(oriel_spill_read(reader, &slots[i], sizeof slots[i], error));
        }
    }
    *nested = (struct oriel_nested){.count = count, .valid = valid, .slots = slots};
    *out = nested;
    return ORIEL_OK;
}

/* Reads a column of `row_count` rows into arena memory. */
static enum oriel_status read_column(struct oriel_spill_reader *reader, struct oriel_arena *arena,
                                     const struct oriel_type *type, uint32_t row_count,
                                     struct oriel_column *out, struct oriel_error *error) {
    const enum oriel_physical physical = oriel_type_physical(type);
    const size_t width = oriel_physical_size(physical);
    uint8_t has_valid;
    *out = (struct oriel_column){.type = *type};
    ORIEL_TRY(oriel_spill_read(reader, &has_valid, 1, error));
    if (has_valid) {
        const size_t size = oriel_bits_word_count(row_count) * sizeof *out->valid;
        out->valid = oriel_arena_allocate(arena, size);
        if (!out->valid)
            return oriel_error_memory(error);
        ORIEL_TRY(oriel_spill_read(reader, out->valid, size, error));
    }
    out->values = oriel_arena_allocate_zeroed(arena, row_count, width);
    if (!out->values)
        return oriel_error_memory(error);
    if (physical != ORIEL_PHYSICAL_STRING && physical != ORIEL_PHYSICAL_NESTED)
        return oriel_spill_read(reader, out->values, row_count * width, error);
    for (uint32_t i = 0; i < row_count; i++) {
        if (oriel_column_is_null(out, i))
            continue;
        if (physical == ORIEL_PHYSICAL_STRING)
            ORIEL_TRY(read_string(reader, arena, (struct oriel_string *)out->values + i, error));
        else
            ORIEL_TRY(read_nested(reader, arena, type,
                                  (const struct oriel_nested **)out->values + i, error));
    }
    return ORIEL_OK;
}

enum oriel_status oriel_spill_read_rows(struct oriel_spill_reader *reader,
                                        struct oriel_table *table, struct oriel_error *error) {
    if (reader->left_bytes == 0)
        return ORIEL_DONE;
    const struct oriel_schema schema = table->schema;
    uint32_t row_count;
    ORIEL_TRY(oriel_spill_read(reader, &row_count, sizeof row_count, error));
    struct oriel_arena arena;
    oriel_arena_init(&arena, table->memory);
    enum oriel_status status = ORIEL_OK;
    struct oriel_column *columns =
        oriel_arena_allocate_zeroed(&arena, schema.field_count, sizeof *columns);
    if (!columns)
        status = oriel_error_memory(error);
    for (uint32_t c = 0; c < schema.field_count && status == ORIEL_OK; c++)
        status = read_column(reader, &arena, &schema.fields[c].type, row_count, &columns[c], error);
    if (status == ORIEL_OK) {
        const struct oriel_batch batch = {
            .row_count = row_count, .column_count = schema.field_count, .columns = columns};
        status = oriel_table_append(table, &batch, NULL, 0, row_count, error);
    }
    oriel_arena_deinit(&arena);
    return status;
}
