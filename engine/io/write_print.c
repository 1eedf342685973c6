/*
 * Rows of a table whose connector is 'print', as Flink's print sink shows them: a line each, +I[1,
 * x, 2024-01-02T03:04], behind the identifier of the table if it has one.
 */
#include "engine/io/formatter_internal.h"
#include "engine/io/java_text.h"

static enum oriel_status append(struct oriel_text_buffer *text, const char *bytes, size_t length) {
    return oriel_text_buffer_append(text, bytes, length);
}

static enum oriel_status print_value(struct oriel_text_buffer *text,
                                     const struct oriel_column *column, size_t row);

/* A slot of a nested value as a column of one row. */
static enum oriel_status print_slot(struct oriel_text_buffer *text,
                                    const struct oriel_nested *nested, uint32_t slot,
                                    const struct oriel_type *type) {
    uint64_t valid = oriel_bits_get(nested->valid, slot) ? 1 : 0;
    oriel_u128 value = nested->slots[slot];
    const struct oriel_column column = {.type = *type, .values = &value, .valid = &valid};
    return print_value(text, &column, 0);
}

static enum oriel_status print_nested(struct oriel_text_buffer *text, const struct oriel_type *type,
                                      const struct oriel_nested *nested) {
    const bool is_map = type->id == ORIEL_TYPE_MAP, is_row = type->id == ORIEL_TYPE_ROW;
    ORIEL_TRY(append(text, is_map ? "{" : is_row ? "+I[" : "[", is_row ? 3 : 1));
    for (uint32_t i = 0; i < nested->count; i++) {
        if (i)
            ORIEL_TRY(append(text, ", ", 2));
        if (!is_map) {
            ORIEL_TRY(print_slot(text, nested, i, &type->fields[is_row ? i : 0].type));
            continue;
        }
        ORIEL_TRY(print_slot(text, nested, 2 * i, &type->fields[0].type));
        ORIEL_TRY(append(text, "=", 1));
        ORIEL_TRY(print_slot(text, nested, 2 * i + 1, &type->fields[1].type));
    }
    return append(text, is_map ? "}" : "]", 1);
}

/* Bytes are Java's, with a sign. */
static enum oriel_status print_binary(struct oriel_text_buffer *text,
                                      const struct oriel_string *value) {
    const char *bytes = oriel_string_bytes(value);
    ORIEL_TRY(append(text, "[", 1));
    for (uint32_t i = 0; i < value->length; i++) {
        char number[ORIEL_CELL_FIXED_BYTES];
        const char *end = oriel_cell_integer(number, (signed char)bytes[i]);
        if (i)
            ORIEL_TRY(append(text, ", ", 2));
        ORIEL_TRY(append(text, number, (size_t)(end - number)));
    }
    return append(text, "]", 1);
}

static enum oriel_status print_value(struct oriel_text_buffer *text,
                                     const struct oriel_column *column, size_t row) {
    const struct oriel_type *type = &column->type;
    char java[ORIEL_JAVA_TEXT_BYTES];
    if (oriel_column_is_null(column, row))
        return append(text, "null", 4);
    switch (type->id) {
    case ORIEL_TYPE_BOOLEAN:
        return ((const int8_t *)column->values)[row] ? append(text, "true", 4)
                                                     : append(text, "false", 5);
    case ORIEL_TYPE_CHAR:
    case ORIEL_TYPE_VARCHAR: {
        const struct oriel_string *value = &oriel_column_strings(column)[row];
        return append(text, oriel_string_bytes(value), value->length);
    }
    case ORIEL_TYPE_BINARY:
    case ORIEL_TYPE_VARBINARY: return print_binary(text, &oriel_column_strings(column)[row]);
    case ORIEL_TYPE_DECIMAL:
        return append(text, java,
                      oriel_java_decimal(((const oriel_i128 *)column->values)[row], type->scale,
                                         false, java));
    case ORIEL_TYPE_TIME:
    case ORIEL_TYPE_TIMESTAMP:
    case ORIEL_TYPE_TIMESTAMP_LTZ: return append(text, java, oriel_java_time(column, row, java));
    case ORIEL_TYPE_ARRAY:
    case ORIEL_TYPE_MAP:
    case ORIEL_TYPE_ROW:
        return print_nested(text, type, ((const struct oriel_nested *const *)column->values)[row]);
    default: return oriel_value_print(text, column, row, NULL);
    }
}

static enum oriel_status print_rows(const struct oriel_formatter *formatter,
                                    struct oriel_format_piece *piece,
                                    const struct oriel_batch *batch) {
    struct oriel_text_buffer *text = &piece->text;
    const char *identifier = formatter->options.print_identifier;
    for (size_t row = 0; row < batch->row_count; row++) {
        if (identifier[0]) {
            ORIEL_TRY(append(text, identifier, strlen(identifier)));
            ORIEL_TRY(append(text, "> ", 2));
        }
        ORIEL_TRY(append(text, "+I[", 3));
        for (uint32_t c = 0; c < batch->column_count; c++) {
            if (c)
                ORIEL_TRY(append(text, ", ", 2));
            ORIEL_TRY(print_value(text, &batch->columns[c], row));
        }
        ORIEL_TRY(append(text, "]\n", 2));
    }
    return ORIEL_OK;
}

static enum oriel_status print_begin(const struct oriel_formatter *formatter,
                                     struct oriel_format_piece *piece) {
    (void)formatter;
    (void)piece;
    return ORIEL_OK;
}

static enum oriel_status print_end(const struct oriel_formatter *formatter,
                                   struct oriel_format_piece *piece, uint64_t row_count) {
    (void)formatter;
    (void)piece;
    (void)row_count;
    return ORIEL_OK;
}

const struct oriel_formatter_operations oriel_print_format = {print_begin, print_rows, print_end};
