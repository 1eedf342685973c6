/*
 * Markdown: a pipe table, numbers aligned to the right. Values are shown as in the tableau, but
 * never cut; characters that Markdown would read are escaped.
 */
#include "engine/io/formatter_internal.h"

static enum oriel_status append(struct oriel_text_buffer *text, const char *bytes, size_t length) {
    return oriel_text_buffer_append(text, bytes, length);
}

static enum oriel_status write_escaped(struct oriel_text_buffer *text, const char *bytes,
                                       size_t length) {
    ORIEL_TRY(oriel_text_buffer_reserve(text, length));
    for (size_t i = 0; i < length; i++) {
        const char byte = bytes[i];
        if (byte == '\r' && i + 1 < length && bytes[i + 1] == '\n')
            continue;
        if (byte == '\n' || byte == '\r') {
            ORIEL_TRY(append(text, "<br>", 4));
            continue;
        }
        if (byte && strchr("\\|<*`", byte))
            ORIEL_TRY(append(text, "\\", 1));
        ORIEL_TRY(append(text, &byte, 1));
    }
    return ORIEL_OK;
}

static enum oriel_status markdown_begin(const struct oriel_formatter *formatter,
                                        struct oriel_format_piece *piece) {
    struct oriel_text_buffer *text = &piece->text;
    const struct oriel_schema *schema = &formatter->schema;
    for (uint32_t c = 0; c < schema->field_count; c++) {
        const char *name = schema->fields[c].name;
        ORIEL_TRY(append(text, "| ", 2));
        ORIEL_TRY(write_escaped(text, name, strlen(name)));
        ORIEL_TRY(append(text, " ", 1));
    }
    ORIEL_TRY(append(text, "|\n", 2));
    for (uint32_t c = 0; c < schema->field_count; c++) {
        if (oriel_type_is_numeric(&schema->fields[c].type))
            ORIEL_TRY(append(text, "| ---: ", 7));
        else
            ORIEL_TRY(append(text, "| --- ", 6));
    }
    return append(text, "|\n", 2);
}

static enum oriel_status markdown_rows(const struct oriel_formatter *formatter,
                                       struct oriel_format_piece *piece,
                                       const struct oriel_batch *batch) {
    struct oriel_text_buffer *text = &piece->text;
    for (size_t row = 0; row < batch->row_count; row++) {
        for (uint32_t c = 0; c < batch->column_count; c++) {
            const struct oriel_column *column = &batch->columns[c];
            ORIEL_TRY(append(text, "| ", 2));
            if (oriel_column_is_null(column, row)) {
                ORIEL_TRY(append(text, "NULL", 4));
            } else {
                piece->cell.length = 0;
                ORIEL_TRY(oriel_value_print(&piece->cell, column, row, formatter->options.zone));
                ORIEL_TRY(write_escaped(text, piece->cell.bytes, piece->cell.length));
            }
            ORIEL_TRY(append(text, " ", 1));
        }
        ORIEL_TRY(append(text, "|\n", 2));
    }
    return ORIEL_OK;
}

static enum oriel_status markdown_end(const struct oriel_formatter *formatter,
                                      struct oriel_format_piece *piece, uint64_t row_count) {
    (void)formatter;
    (void)piece;
    (void)row_count;
    return ORIEL_OK;
}

const struct oriel_formatter_operations oriel_markdown_format = {markdown_begin, markdown_rows,
                                                                 markdown_end};
