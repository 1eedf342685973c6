/*
 * The tableau of Flink's TableResult.print(): columns as wide as their type says, or as their
 * content for listings; everything aligned to the right; what is too long is cut and ends in "...".
 */
#include "engine/io/formatter_internal.h"

#include <stdio.h>

#include "engine/io/display_width.h"

enum { WIDTH_MIN = 6, OP_WIDTH = 2, CUT_WIDTH = 3 };

size_t oriel_tableau_type_width(const struct oriel_type *type, size_t max_column_width) {
    switch (type->id) {
    case ORIEL_TYPE_BOOLEAN: return 5;
    case ORIEL_TYPE_TINYINT: return 4;
    case ORIEL_TYPE_SMALLINT: return 6;
    case ORIEL_TYPE_INT: return 11;
    case ORIEL_TYPE_BIGINT: return 20;
    case ORIEL_TYPE_DECIMAL: return (size_t)type->precision + 2;
    case ORIEL_TYPE_DATE: return 10;
    case ORIEL_TYPE_TIME: return type->precision ? 9 + type->precision : 8;
    case ORIEL_TYPE_TIMESTAMP:
    case ORIEL_TYPE_TIMESTAMP_LTZ:
        return type->precision == 0   ? 19
               : type->precision <= 3 ? 23
               : type->precision <= 6 ? 26
                                      : 29;
    default: return max_column_width;
    }
}

static enum oriel_status append(struct oriel_text_buffer *text, const char *bytes, size_t length) {
    return oriel_text_buffer_append(text, bytes, length);
}

static enum oriel_status append_repeated(struct oriel_text_buffer *text, char byte, size_t count) {
    ORIEL_TRY(oriel_text_buffer_reserve(text, count));
    memset(text->bytes + text->length, byte, count);
    text->length += count;
    return ORIEL_OK;
}

static enum oriel_status write_border(const struct oriel_formatter *formatter,
                                      struct oriel_text_buffer *text) {
    if (formatter->options.op_column)
        ORIEL_TRY(append(text, "+----", 3 + OP_WIDTH));
    for (uint32_t c = 0; c < formatter->schema.field_count; c++) {
        ORIEL_TRY(append(text, "+", 1));
        ORIEL_TRY(append_repeated(text, '-', formatter->forms[c].width + 2));
    }
    return append(text, "+\n", 2);
}

/* "| " and the text in `width` columns, and a blank. */
static enum oriel_status write_cell(struct oriel_text_buffer *text, const char *bytes,
                                    size_t length, size_t width) {
    ORIEL_TRY(append(text, "| ", 2));
    const size_t own = oriel_tableau_width(bytes, length);
    if (own <= width) {
        ORIEL_TRY(append_repeated(text, ' ', width - own));
        ORIEL_TRY(append(text, bytes, length));
        return append(text, " ", 1);
    }
    const size_t room = width - CUT_WIDTH;
    size_t used;
    const size_t kept = oriel_tableau_prefix(bytes, length, room, &used);
    ORIEL_TRY(append_repeated(text, ' ', room - used));
    ORIEL_TRY(append(text, bytes, kept));
    return append(text, "... ", 4);
}

static enum oriel_status tableau_begin(const struct oriel_formatter *formatter,
                                       struct oriel_format_piece *piece) {
    struct oriel_text_buffer *text = &piece->text;
    ORIEL_TRY(write_border(formatter, text));
    if (formatter->options.op_column)
        ORIEL_TRY(append(text, "| op ", 5));
    for (uint32_t c = 0; c < formatter->schema.field_count; c++) {
        const char *name = formatter->schema.fields[c].name;
        ORIEL_TRY(write_cell(text, name, strlen(name), formatter->forms[c].width));
    }
    ORIEL_TRY(append(text, "|\n", 2));
    return write_border(formatter, text);
}

static enum oriel_status tableau_rows(const struct oriel_formatter *formatter,
                                      struct oriel_format_piece *piece,
                                      const struct oriel_batch *batch) {
    struct oriel_text_buffer *text = &piece->text;
    for (size_t row = 0; row < batch->row_count; row++) {
        if (formatter->options.op_column)
            ORIEL_TRY(append(text, "| +I ", 5));
        for (uint32_t c = 0; c < batch->column_count; c++) {
            const struct oriel_column *column = &batch->columns[c];
            piece->cell.length = 0;
            if (!formatter->options.fit_content || !oriel_column_is_null(column, row))
                ORIEL_TRY(oriel_value_print(&piece->cell, column, row, formatter->options.zone));
            ORIEL_TRY(
                write_cell(text, piece->cell.bytes, piece->cell.length, formatter->forms[c].width));
        }
        ORIEL_TRY(append(text, "|\n", 2));
    }
    return ORIEL_OK;
}

static enum oriel_status tableau_end(const struct oriel_formatter *formatter,
                                     struct oriel_format_piece *piece, uint64_t row_count) {
    struct oriel_text_buffer *text = &piece->text;
    if (row_count == 0)
        return append(text, "Empty set\n", 10);
    ORIEL_TRY(write_border(formatter, text));
    char line[64];
    const int length = snprintf(line, sizeof line, "%llu row%s in set\n",
                                (unsigned long long)row_count, row_count == 1 ? "" : "s");
    return append(text, line, (size_t)length);
}

const struct oriel_formatter_operations oriel_tableau_format = {tableau_begin, tableau_rows,
                                                                tableau_end};
