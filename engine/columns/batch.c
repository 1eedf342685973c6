/*
 * Column buffers: the memory that sources, expressions and operators write their results to.
 */
#include "engine/columns/batch.h"

#include <string.h>

static size_t column_value_size(const struct oriel_column *column) {
    return oriel_physical_size(oriel_type_physical(&column->type));
}

static size_t valid_bytes(size_t capacity) {
    return oriel_bits_word_count(capacity) * sizeof(uint64_t);
}

enum oriel_status oriel_column_buffers_init(struct oriel_column_buffers *buffers,
                                            struct oriel_memory *memory,
                                            const struct oriel_schema *schema, size_t capacity,
                                            struct oriel_error *error) {
    *buffers = (struct oriel_column_buffers){
        .memory = memory, .capacity = capacity, .column_count = schema->field_count};
    buffers->columns =
        oriel_memory_allocate_zeroed(memory, schema->field_count, sizeof *buffers->columns);
    if (!buffers->columns)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < schema->field_count; i++) {
        struct oriel_column *column = &buffers->columns[i];
        size_t value_bytes;
        column->type = schema->fields[i].type;
        if (!__builtin_mul_overflow(capacity, column_value_size(column), &value_bytes)) {
            column->values = oriel_memory_allocate_zeroed(memory, 1, value_bytes);
            column->valid = oriel_memory_allocate(memory, valid_bytes(capacity));
        }
        if (!column->values || !column->valid) {
            oriel_column_buffers_deinit(buffers);
            return oriel_error_memory(error);
        }
        memset(column->valid, 0xFF, valid_bytes(capacity));
        /* Blocks of 64 rows are looked at as a whole. */
        memset((char *)column->values + value_bytes, 0, ORIEL_BUFFER_PADDING);
    }
    return ORIEL_OK;
}

void oriel_column_buffers_deinit(struct oriel_column_buffers *buffers) {
    if (!buffers->columns)
        return;
    for (uint32_t i = 0; i < buffers->column_count; i++) {
        struct oriel_column *column = &buffers->columns[i];
        oriel_memory_release(buffers->memory, column->values,
                             buffers->capacity * column_value_size(column));
        oriel_memory_release(buffers->memory, column->valid, valid_bytes(buffers->capacity));
        if (buffers->codes)
            oriel_memory_release(buffers->memory, buffers->codes[i],
                                 buffers->capacity * sizeof *buffers->codes[i]);
    }
    oriel_memory_release(buffers->memory, buffers->codes,
                         buffers->column_count * sizeof *buffers->codes);
    oriel_memory_release(buffers->memory, buffers->columns,
                         buffers->column_count * sizeof *buffers->columns);
    buffers->codes = NULL;
    buffers->columns = NULL;
}

enum oriel_status oriel_column_buffers_keep_codes(struct oriel_column_buffers *buffers,
                                                  const struct oriel_column *columns,
                                                  struct oriel_error *error) {
    for (uint32_t i = 0; i < buffers->column_count; i++) {
        if (!columns[i].codes)
            continue;
        if (!buffers->codes)
            buffers->codes = oriel_memory_allocate_zeroed(buffers->memory, buffers->column_count,
                                                          sizeof *buffers->codes);
        if (buffers->codes && !buffers->codes[i])
            buffers->codes[i] = oriel_memory_allocate(
                buffers->memory, buffers->capacity * sizeof *buffers->codes[i]);
        if (!buffers->codes || !buffers->codes[i])
            return oriel_error_memory(error);
    }
    return ORIEL_OK;
}

void oriel_column_set_null(struct oriel_column *column, size_t row) {
    const size_t size_bytes = column_value_size(column);
    oriel_bits_clear(column->valid, row);
    memset((char *)column->values + row * size_bytes, 0, size_bytes);
}
