/*
 * JSON, one object a line. Numbers keep all their digits; NaN and Infinity, which JSON has no
 * number for, are strings; bytes are base64; times are strings, TIMESTAMP_LTZ in UTC with Z.
 */
#include "engine/io/formatter_internal.h"

static enum oriel_status append(struct oriel_text_buffer *text, const char *bytes, size_t length) {
    return oriel_text_buffer_append(text, bytes, length);
}

/* Writes what stands for a byte that may not stand in a string itself; its length, or 0. */
static size_t escape_of(unsigned char byte, bool as_flink, char out[6]) {
    static const char short_forms[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    for (size_t i = 0; short_forms[i]; i += 2) {
        if (byte == (unsigned char)short_forms[i]) {
            out[0] = '\\';
            out[1] = short_forms[i + 1];
            return 2;
        }
    }
    if (byte >= 0x20 && (byte != 0x7f || as_flink))
        return 0;
    const char *digits = as_flink ? "0123456789ABCDEF" : "0123456789abcdef";
    memcpy(out, "\\u00", 4);
    out[4] = digits[byte >> 4];
    out[5] = digits[byte & 15];
    return 6;
}

/* True for the two bytes of a control character U+0080 to U+009F. */
static bool is_high_control(const char *bytes, size_t length) {
    return length >= 2 && (unsigned char)bytes[0] == 0xc2 && (unsigned char)bytes[1] < 0xa0;
}

static enum oriel_status write_string(const struct oriel_formatter *formatter,
                                      struct oriel_text_buffer *text, const char *bytes,
                                      size_t length) {
    const bool as_flink = formatter->options.json.as_flink;
    ORIEL_TRY(append(text, "\"", 1));
    size_t plain = 0; /* start of the bytes that are not written yet */
    for (size_t i = 0; i < length; i++) {
        char escape[6];
        size_t taken = 1;
        size_t escape_length = escape_of((unsigned char)bytes[i], as_flink, escape);
        if (!escape_length && !as_flink && is_high_control(bytes + i, length - i)) {
            memcpy(escape, "\\u00", 4);
            escape[4] = (unsigned char)bytes[i + 1] < 0x90 ? '8' : '9';
            escape[5] = "0123456789abcdef"[bytes[i + 1] & 15];
            escape_length = 6;
            taken = 2;
        }
        if (!escape_length)
            continue;
        ORIEL_TRY(append(text, bytes + plain, i - plain));
        ORIEL_TRY(append(text, escape, escape_length));
        i += taken - 1;
        plain = i + 1;
    }
    ORIEL_TRY(append(text, bytes + plain, length - plain));
    return append(text, "\"", 1);
}

static enum oriel_status write_binary(struct oriel_text_buffer *text,
                                      const struct oriel_string *value) {
    ORIEL_TRY(oriel_text_buffer_reserve(text, ((size_t)value->length + 2) / 3 * 4 + 2));
    char *out = text->bytes + text->length;
    *out++ = '"';
    out = oriel_cell_base64(out, oriel_string_bytes(value), value->length);
    *out++ = '"';
    text->length = (size_t)(out - text->bytes);
    return ORIEL_OK;
}

/* A number of oriel_value_print as it is, everything else in quotes. */
static enum oriel_status write_number(const struct oriel_formatter *f,
                                      struct oriel_format_piece *piece) {
    const char *bytes = piece->cell.bytes;
    const size_t length = piece->cell.length;
    const bool is_number =
        length && (bytes[0] == '-' ? length > 1 && bytes[1] <= '9' : bytes[0] <= '9');
    return is_number ? append(&piece->text, bytes, length)
                     : write_string(f, &piece->text, bytes, length);
}

static enum oriel_status write_value(const struct oriel_formatter *f,
                                     struct oriel_format_piece *piece, enum oriel_cell_kind kind,
                                     const struct oriel_column *column, size_t row);

/* The slot of a nested value as a column of one row. */
static struct oriel_column slot_column(const struct oriel_nested *nested, uint32_t slot,
                                       const struct oriel_type *type, uint64_t *valid) {
    *valid = oriel_bits_get(nested->valid, slot) ? 1 : 0;
    union {
        const void *constant;
        void *values;
    } place = {.constant = &nested->slots[slot]};
    return (struct oriel_column){.type = *type, .values = place.values, .valid = valid};
}

static enum oriel_status write_slot(const struct oriel_formatter *f,
                                    struct oriel_format_piece *piece,
                                    const struct oriel_nested *nested, uint32_t slot,
                                    const struct oriel_type *type) {
    uint64_t valid;
    const struct oriel_column column = slot_column(nested, slot, type, &valid);
    return write_value(f, piece, oriel_cell_kind_of(type), &column, 0);
}

/* The key of a map: a JSON string of what the value prints as. */
static enum oriel_status write_key(const struct oriel_formatter *f,
                                   struct oriel_format_piece *piece,
                                   const struct oriel_nested *nested, uint32_t slot,
                                   const struct oriel_type *type) {
    uint64_t valid;
    const struct oriel_column column = slot_column(nested, slot, type, &valid);
    piece->cell.length = 0;
    ORIEL_TRY(oriel_value_print(&piece->cell, &column, 0, NULL));
    return write_string(f, &piece->text, piece->cell.bytes, piece->cell.length);
}

static enum oriel_status write_nested(const struct oriel_formatter *f,
                                      struct oriel_format_piece *piece,
                                      const struct oriel_type *type,
                                      const struct oriel_nested *nested) {
    struct oriel_text_buffer *text = &piece->text;
    const bool is_array = type->id == ORIEL_TYPE_ARRAY;
    ORIEL_TRY(append(text, is_array ? "[" : "{", 1));
    for (uint32_t i = 0; i < nested->count; i++) {
        if (i > 0)
            ORIEL_TRY(append(text, ",", 1));
        if (is_array) {
            ORIEL_TRY(write_slot(f, piece, nested, i, &type->fields[0].type));
        } else if (type->id == ORIEL_TYPE_MAP) {
            ORIEL_TRY(write_key(f, piece, nested, 2 * i, &type->fields[0].type));
            ORIEL_TRY(append(text, ":", 1));
            ORIEL_TRY(write_slot(f, piece, nested, 2 * i + 1, &type->fields[1].type));
        } else {
            const char *name = type->fields[i].name ? type->fields[i].name : "";
            ORIEL_TRY(write_string(f, text, name, strlen(name)));
            ORIEL_TRY(append(text, ":", 1));
            ORIEL_TRY(write_slot(f, piece, nested, i, &type->fields[i].type));
        }
    }
    return append(text, is_array ? "]" : "}", 1);
}

static enum oriel_status write_integer(struct oriel_text_buffer *text,
                                       const struct oriel_column *column, size_t row) {
    ORIEL_TRY(oriel_text_buffer_reserve(text, ORIEL_CELL_FIXED_BYTES));
    char *out = text->bytes + text->length;
    const int64_t value = oriel_cell_integer_value(column, oriel_type_physical(&column->type), row);
    text->length = (size_t)(oriel_cell_integer(out, value) - text->bytes);
    return ORIEL_OK;
}

/* Puts a T between date and time. */
static void set_iso(char *bytes, size_t length) {
    char *blank = memchr(bytes, ' ', length);
    if (blank)
        *blank = 'T';
}

static enum oriel_status write_printed(const struct oriel_formatter *f,
                                       struct oriel_format_piece *piece, enum oriel_cell_kind kind,
                                       const struct oriel_column *column, size_t row) {
    piece->cell.length = 0;
    if (f->options.json.as_flink) {
        ORIEL_TRY(oriel_text_buffer_reserve(&piece->cell, ORIEL_CELL_FIXED_BYTES));
        piece->cell.length =
            oriel_cell_as_flink(column, row, f->options.json.plain_decimals, piece->cell.bytes);
        if (oriel_type_is_timestamp(&column->type) && f->options.json.iso_timestamps)
            set_iso(piece->cell.bytes, piece->cell.length);
    } else {
        ORIEL_TRY(oriel_value_print(&piece->cell, column, row, NULL));
    }
    if (kind == ORIEL_CELL_NUMBER)
        return write_number(f, piece);
    if (column->type.id == ORIEL_TYPE_TIMESTAMP_LTZ)
        ORIEL_TRY(append(&piece->cell, "Z", 1));
    return write_string(f, &piece->text, piece->cell.bytes, piece->cell.length);
}

static enum oriel_status write_value(const struct oriel_formatter *f,
                                     struct oriel_format_piece *piece, enum oriel_cell_kind kind,
                                     const struct oriel_column *column, size_t row) {
    struct oriel_text_buffer *text = &piece->text;
    if (oriel_column_is_null(column, row))
        return append(text, "null", 4);
    switch (kind) {
    case ORIEL_CELL_INTEGER: return write_integer(text, column, row);
    case ORIEL_CELL_BOOLEAN:
        return ((const int8_t *)column->values)[row] ? append(text, "true", 4)
                                                     : append(text, "false", 5);
    case ORIEL_CELL_STRING: {
        const struct oriel_string *value = oriel_column_strings(column) + row;
        return write_string(f, text, oriel_string_bytes(value), value->length);
    }
    case ORIEL_CELL_BINARY: return write_binary(text, oriel_column_strings(column) + row);
    case ORIEL_CELL_NESTED:
        return write_nested(f, piece, &column->type,
                            ((const struct oriel_nested *const *)column->values)[row]);
    default: return write_printed(f, piece, kind, column, row);
    }
}

/* The times of a query's own columns repeat, so they go through the cache. */
static enum oriel_status write_timestamp(const struct oriel_formatter *formatter,
                                         struct oriel_format_piece *piece, uint32_t index,
                                         int64_t ms) {
    const struct oriel_cell_form *form = &formatter->forms[index];
    struct oriel_text_buffer *text = &piece->text;
    ORIEL_TRY(oriel_text_buffer_reserve(text, ORIEL_CELL_FIXED_BYTES));
    char *out = text->bytes + text->length;
    *out++ = '"';
    char *begin = out;
    out = oriel_cell_timestamp(out, &piece->caches[index], ms, form->precision,
                               formatter->options.json.as_flink);
    if (formatter->options.json.iso_timestamps)
        set_iso(begin, (size_t)(out - begin));
    if (form->utc)
        *out++ = 'Z';
    *out++ = '"';
    text->length = (size_t)(out - text->bytes);
    return ORIEL_OK;
}

static enum oriel_status json_rows(const struct oriel_formatter *formatter,
                                   struct oriel_format_piece *piece,
                                   const struct oriel_batch *batch) {
    struct oriel_text_buffer *text = &piece->text;
    for (size_t row = 0; row < batch->row_count; row++) {
        bool is_first = true;
        ORIEL_TRY(append(text, "{", 1));
        for (uint32_t c = 0; c < batch->column_count; c++) {
            const struct oriel_column *column = &batch->columns[c];
            const struct oriel_cell_form *form = &formatter->forms[c];
            struct oriel_column named = *column; /* fields of rows have the names of the schema */
            const char *name = formatter->schema.fields[c].name;
            if (formatter->options.json.skip_nulls && oriel_column_is_null(column, row))
                continue;
            if (!is_first)
                ORIEL_TRY(append(text, ",", 1));
            is_first = false;
            named.type = formatter->schema.fields[c].type;
            ORIEL_TRY(write_string(formatter, text, name, strlen(name)));
            ORIEL_TRY(append(text, ":", 1));
            if (form->kind == ORIEL_CELL_TIMESTAMP && !oriel_column_is_null(column, row))
                ORIEL_TRY(
                    write_timestamp(formatter, piece, c, ((const int64_t *)column->values)[row]));
            else
                ORIEL_TRY(write_value(formatter, piece, form->kind, &named, row));
        }
        ORIEL_TRY(append(text, "}\n", 2));
    }
    return ORIEL_OK;
}

static enum oriel_status json_begin(const struct oriel_formatter *formatter,
                                    struct oriel_format_piece *piece) {
    (void)formatter;
    (void)piece;
    return ORIEL_OK;
}

static enum oriel_status json_end(const struct oriel_formatter *formatter,
                                  struct oriel_format_piece *piece, uint64_t row_count) {
    (void)formatter;
    (void)piece;
    (void)row_count;
    return ORIEL_OK;
}

const struct oriel_formatter_operations oriel_json_format = {json_begin, json_rows, json_end};
