/*
 * CSV after RFC 4180, lines ended by LF. Rows are written straight into room that is reserved once
 * a row, without a call per byte.
 */
#include "engine/io/formatter_internal.h"

enum {
    UNQUOTED_MAX = 24, /* Jackson does not look through longer texts */
    STRING_HEAD_BYTES = sizeof(struct oriel_string) - ORIEL_STRING_INLINE_BYTES,
};

static bool needs_quotes(const struct oriel_formatter *formatter, const char *bytes,
                         size_t length) {
    if (!length)
        return formatter->options.csv.quote_empty;
    if (formatter->options.csv.as_flink && length > UNQUOTED_MAX)
        return true;
    for (size_t i = 0; i < length; i++) {
        if (formatter->quoted[(unsigned char)bytes[i]])
            return true;
    }
    return false;
}

/* Writes at most 2 * length + 2 bytes. */
static char *write_field(const struct oriel_formatter *formatter, char *out, const char *bytes,
                         size_t length) {
    const struct oriel_csv_form *form = &formatter->options.csv;
    if (!form->quote || !needs_quotes(formatter, bytes, length)) {
        if (length)
            memcpy(out, bytes, length);
        return out + length;
    }
    *out++ = form->quote;
    for (size_t i = 0; i < length; i++) {
        const char byte = bytes[i];
        if (byte == form->quote || (form->escape && byte == form->escape))
            *out++ = form->escape ? form->escape : form->quote;
        *out++ = byte;
    }
    *out++ = form->quote;
    return out;
}

static char *write_null(const struct oriel_formatter *formatter, char *out) {
    const char *literal = formatter->options.csv.null_literal;
    const size_t length = strlen(literal);
    if (length)
        memcpy(out, literal, length);
    return out + length;
}

static const void *value_at(const struct oriel_column *column, enum oriel_physical physical,
                            size_t row) {
    return (const char *)column->values + row * oriel_physical_size(physical);
}

/* Times have a blank between date and clock. */
static bool quotes_times(const struct oriel_formatter *formatter) {
    return formatter->options.csv.as_flink && formatter->options.csv.quote;
}

/* Only '+' makes it be quoted, and its length. */
static char *write_base64(const struct oriel_formatter *formatter, char *out,
                          const struct oriel_string *value) {
    const size_t length = ((size_t)value->length + 2) / 3 * 4;
    char *end = oriel_cell_base64(out, oriel_string_bytes(value), value->length);
    if (!quotes_times(formatter) || !needs_quotes(formatter, out, length))
        return end;
    memmove(out + 1, out, length);
    out[0] = formatter->options.csv.quote;
    out[length + 1] = formatter->options.csv.quote;
    return out + length + 2;
}

/* Decimals, floats, dates, times of day and finer timestamps. */
static char *write_other(const struct oriel_formatter *formatter,
                         const struct oriel_cell_form *form, const struct oriel_column *column,
                         size_t row, char *out) {
    const bool as_flink = formatter->options.csv.as_flink;
    const bool is_quoted = quotes_times(formatter) && oriel_type_is_timestamp(&column->type);
    if (is_quoted)
        *out++ = formatter->options.csv.quote;
    if (as_flink)
        out += oriel_cell_as_flink(column, row, false, out);
    else
        out += oriel_value_print_fixed(&column->type, value_at(column, form->physical, row), NULL,
                                       out);
    if (form->utc)
        *out++ = 'Z';
    if (is_quoted)
        *out++ = formatter->options.csv.quote;
    return out;
}

/* Cells of fixed size and strings, for which the row's room is reserved. */
static char *write_cell(const struct oriel_formatter *formatter, struct oriel_format_piece *piece,
                        uint32_t index, const struct oriel_column *column, size_t row, char *out) {
    const struct oriel_cell_form *form = &formatter->forms[index];
    switch (form->kind) {
    case ORIEL_CELL_INTEGER:
        return oriel_cell_integer(out, oriel_cell_integer_value(column, form->physical, row));
    case ORIEL_CELL_TIMESTAMP:
        if (quotes_times(formatter))
            *out++ = formatter->options.csv.quote;
        out =
            oriel_cell_timestamp(out, &piece->caches[index], ((const int64_t *)column->values)[row],
                                 form->precision, formatter->options.csv.as_flink);
        if (form->utc)
            *out++ = 'Z';
        if (quotes_times(formatter))
            *out++ = formatter->options.csv.quote;
        return out;
    case ORIEL_CELL_BOOLEAN: {
        const int value = ((const int8_t *)column->values)[row] != 0;
        memcpy(out, value ? "true " : "false", 5);
        return out + (value ? 4 : 5);
    }
    case ORIEL_CELL_BINARY: {
        const struct oriel_string *value = oriel_column_strings(column) + row;
        return write_base64(formatter, out, value);
    }
    case ORIEL_CELL_STRING: {
        const struct oriel_string *value = oriel_column_strings(column) + row;
        if (piece->caches[index].plain_strings) {
            memcpy(out, (const char *)value + STRING_HEAD_BYTES, ORIEL_STRING_INLINE_BYTES);
            return out + value->length;
        }
        return write_field(formatter, out, oriel_string_bytes(value), value->length);
    }
    default: return write_other(formatter, form, column, row, out);
    }
}

static bool is_string(enum oriel_cell_kind kind) {
    return kind == ORIEL_CELL_STRING || kind == ORIEL_CELL_BINARY;
}

/* Whether all strings lie inside their values, none is empty and none has a byte that asks for
 * quotes. Looks at whole values, without a branch for each; the padding is no such byte. */
static bool are_plain(const struct oriel_formatter *formatter, const struct oriel_string *strings,
                      size_t count) {
    const struct oriel_csv_form *csv = &formatter->options.csv;
    const char delimiter = csv->delimiter;
    const char quote = csv->quote ? csv->quote : delimiter;
    const char escape = csv->escape ? csv->escape : delimiter;
    unsigned char found[sizeof *strings] = {0};
    uint32_t odd_length = 0;
    if (csv->as_flink)
        return false;
    for (size_t i = 0; i < count; i++) {
        const char *bytes = (const char *)&strings[i];
        odd_length |= strings[i].length - 1 >= ORIEL_STRING_INLINE_BYTES;
        for (size_t k = 0; k < sizeof found; k++)
            found[k] |= (bytes[k] == delimiter) | (bytes[k] == quote) | (bytes[k] == escape) |
                        (bytes[k] == '\n') | (bytes[k] == '\r');
    }
    for (size_t k = STRING_HEAD_BYTES; k < sizeof found; k++)
        odd_length |= found[k];
    return !odd_length;
}

static bool has_null(const struct oriel_column *column, size_t count) {
    const size_t whole = count / 64;
    if (!column->valid)
        return false;
    for (size_t i = 0; i < whole; i++) {
        if (~column->valid[i])
            return true;
    }
    return count % 64 && ~column->valid[whole] & oriel_bits_low(count % 64);
}

/* Notes what all rows have in common; returns whether some need more than the fixed bound. */
static bool note_batch(const struct oriel_formatter *formatter, struct oriel_format_piece *piece,
                       const struct oriel_batch *batch) {
    bool exceeds = false;
    for (uint32_t c = 0; c < batch->column_count; c++) {
        const struct oriel_column *column = &batch->columns[c];
        const enum oriel_cell_kind kind = formatter->forms[c].kind;
        struct oriel_cell_cache *cache = &piece->caches[c];
        cache->has_null = has_null(column, batch->row_count);
        cache->plain_strings = kind == ORIEL_CELL_STRING && !cache->has_null &&
                               are_plain(formatter, oriel_column_strings(column), batch->row_count);
        exceeds |= is_string(kind) && !cache->plain_strings;
    }
    return exceeds;
}

/* Bytes that the strings of a row may need on top of the fixed bound. */
static size_t string_bound(const struct oriel_formatter *formatter, const struct oriel_batch *batch,
                           size_t row) {
    size_t bound = 0;
    for (uint32_t c = 0; c < batch->column_count; c++) {
        if (is_string(formatter->forms[c].kind) && !oriel_column_is_null(&batch->columns[c], row))
            bound += 2 * (size_t)oriel_column_strings(&batch->columns[c])[row].length;
    }
    return bound;
}

/* A cell that is printed before it is known whether it needs quotes; the rest of the row's room is
 * reserved again behind it. */
static enum oriel_status write_printed(const struct oriel_formatter *formatter,
                                       struct oriel_format_piece *piece,
                                       const struct oriel_column *column, size_t row,
                                       size_t row_bound, char **out) {
    struct oriel_text_buffer *text = &piece->text;
    piece->cell.length = 0;
    if (formatter->options.csv.as_flink && oriel_cell_kind_of(&column->type) != ORIEL_CELL_NESTED) {
        ORIEL_TRY(oriel_text_buffer_reserve(&piece->cell, ORIEL_CELL_FIXED_BYTES));
        piece->cell.length = oriel_cell_as_flink(column, row, false, piece->cell.bytes);
    } else {
        ORIEL_TRY(oriel_value_print(&piece->cell, column, row, NULL));
    }
    text->length = (size_t)(*out - text->bytes);
    ORIEL_TRY(oriel_text_buffer_reserve(text, row_bound + 2 * piece->cell.length + 2));
    *out = text->bytes + text->length;
    *out = write_field(formatter, *out, piece->cell.bytes, piece->cell.length);
    if (column->type.id == ORIEL_TYPE_TIMESTAMP_LTZ)
        *(*out)++ = 'Z';
    return ORIEL_OK;
}

/* Cells whose size is bounded by the row's room, and that need no quotes unless they are strings.
 */
static bool is_direct(const struct oriel_formatter *formatter, enum oriel_cell_kind kind) {
    if (is_string(kind))
        return true;
    return kind != ORIEL_CELL_NESTED && formatter->plain_numbers;
}

static enum oriel_status csv_rows(const struct oriel_formatter *formatter,
                                  struct oriel_format_piece *piece,
                                  const struct oriel_batch *batch) {
    struct oriel_text_buffer *text = &piece->text;
    const bool exceeds = note_batch(formatter, piece, batch);
    for (size_t row = 0; row < batch->row_count; row++) {
        size_t bound = formatter->fixed_bytes;
        if (exceeds)
            bound += string_bound(formatter, batch, row);
        if (text->capacity - text->length < bound)
            ORIEL_TRY(oriel_text_buffer_reserve(text, bound));
        char *out = text->bytes + text->length;
        for (uint32_t c = 0; c < batch->column_count; c++) {
            const struct oriel_column *column = &batch->columns[c];
            if (c > 0)
                *out++ = formatter->options.csv.delimiter;
            if (piece->caches[c].has_null && oriel_column_is_null(column, row))
                out = write_null(formatter, out);
            else if (is_direct(formatter, formatter->forms[c].kind))
                out = write_cell(formatter, piece, c, column, row, out);
            else
                ORIEL_TRY(write_printed(formatter, piece, column, row, bound, &out));
        }
        *out++ = '\n';
        text->length = (size_t)(out - text->bytes);
    }
    return ORIEL_OK;
}

static enum oriel_status csv_begin(const struct oriel_formatter *formatter,
                                   struct oriel_format_piece *piece) {
    if (!formatter->options.header)
        return ORIEL_OK;
    struct oriel_text_buffer *text = &piece->text;
    for (uint32_t c = 0; c < formatter->schema.field_count; c++) {
        const char *name = formatter->schema.fields[c].name;
        const size_t length = strlen(name);
        ORIEL_TRY(oriel_text_buffer_reserve(text, 2 * length + 4));
        char *out = text->bytes + text->length;
        if (c > 0)
            *out++ = formatter->options.csv.delimiter;
        out = write_field(formatter, out, name, length);
        text->length = (size_t)(out - text->bytes);
    }
    return oriel_text_buffer_append(text, "\n", 1);
}

static enum oriel_status csv_end(const struct oriel_formatter *formatter,
                                 struct oriel_format_piece *piece, uint64_t row_count) {
    (void)formatter;
    (void)piece;
    (void)row_count;
    return ORIEL_OK;
}

const struct oriel_formatter_operations oriel_csv_format = {csv_begin, csv_rows, csv_end};
