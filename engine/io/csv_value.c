/*
 * One field of any form, as Flink's converters read it: the slow path behind the kernels, and the
 * only path for types without one. Numbers, booleans and timestamps lose surrounding blanks;
 * strings, decimals, dates and times of day do not.
 */
#include <string.h>

#include "engine/base/civil.h"
#include "engine/base/decimal.h"
#include "engine/base/number_text.h"
#include "engine/io/csv_reader.h"

enum { NANOS_PER_MS = 1000000 };

/* Java's String.trim. */
static struct oriel_text trim(struct oriel_text text) {
    while (text.length && (unsigned char)text.bytes[0] <= ' ') {
        text.bytes++;
        text.length--;
    }
    while (text.length && (unsigned char)text.bytes[text.length - 1] <= ' ')
        text.length--;
    return text;
}

static char meaning_of_escaped(char byte) {
    switch (byte) {
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case '0': return '\0';
    default: return byte;
    }
}

/* Copies a field without its quotes and escapes; `at` is where the content begins. */
static enum csv_value_result copy_content(const struct oriel_csv_options *options,
                                          struct oriel_arena *arena, const char *text,
                                          size_t length, size_t at, bool quoted,
                                          struct oriel_text *out) {
    char *to = oriel_arena_allocate(arena, length);
    if (!to)
        return CSV_VALUE_MEMORY;
    size_t count = 0;
    for (; at < length; at++) {
        const unsigned char byte = (unsigned char)text[at];
        if (quoted && byte == options->quote) {
            if (at + 1 == length || (unsigned char)text[at + 1] != options->quote)
                break;
            at++;
            to[count++] = (char)byte;
        } else if (byte == options->escape && at + 1 < length) {
            to[count++] = meaning_of_escaped(text[++at]);
        } else {
            to[count++] = (char)byte;
        }
    }
    *out = (struct oriel_text){to, count};
    return CSV_VALUE_OK;
}

enum csv_value_result csv_value_content(const struct csv_source *source, struct oriel_arena *arena,
                                        const char *text, size_t length, struct oriel_text *out,
                                        bool *quoted) {
    const struct oriel_csv_options *options = &source->options;
    *quoted = length > 0 && (unsigned char)text[0] == options->quote;
    const bool escaped =
        options->escape >= 0 && length > 0 && memchr(text, options->escape, length) != NULL;
    if (!*quoted) {
        if (escaped)
            return copy_content(options, arena, text, length, 0, false, out);
        *out = (struct oriel_text){text, length};
        return CSV_VALUE_OK;
    }
    if (!escaped) {
        const char *closing = memchr(text + 1, options->quote, length - 1);
        const size_t end = closing ? (size_t)(closing - text) : length;
        if (end + 1 >= length || (unsigned char)text[end + 1] != options->quote) {
            *out = (struct oriel_text){text + 1, end - 1};
            return CSV_VALUE_OK;
        }
    }
    return copy_content(options, arena, text, length, 1, true, out);
}

static enum csv_value_result parse_integer(struct oriel_text text, int64_t low, int64_t high,
                                           void *out, size_t size) {
    int64_t value;
    text = trim(text);
    if (oriel_integer_parse(text.bytes, text.length, low, high, &value) != ORIEL_INTEGER_OK)
        return CSV_VALUE_BAD;
    const int8_t narrow8 = (int8_t)value;
    const int16_t narrow16 = (int16_t)value;
    const int32_t narrow32 = (int32_t)value;
    const void *from = size == 1   ? (const void *)&narrow8
                       : size == 2 ? (const void *)&narrow16
                       : size == 4 ? (const void *)&narrow32
                                   : (const void *)&value;
    memcpy(out, from, size);
    return CSV_VALUE_OK;
}

static enum csv_value_result parse_boolean(struct oriel_text text, void *out) {
    const int8_t value = (int8_t)oriel_text_equal_ignoring_case(trim(text), ORIEL_TEXT("true"));
    memcpy(out, &value, sizeof value);
    return CSV_VALUE_OK;
}

static enum csv_value_result parse_floating(const struct oriel_type *type, struct oriel_text text,
                                            void *out) {
    text = trim(text);
    if (type->id == ORIEL_TYPE_FLOAT) {
        float value;
        if (!oriel_float_parse(text.bytes, text.length, &value))
            return CSV_VALUE_BAD;
        memcpy(out, &value, sizeof value);
    } else {
        double value;
        if (!oriel_double_parse(text.bytes, text.length, &value))
            return CSV_VALUE_BAD;
        memcpy(out, &value, sizeof value);
    }
    return CSV_VALUE_OK;
}

static enum csv_value_result parse_decimal(const struct oriel_type *type, struct oriel_text text,
                                           void *out) {
    oriel_i128 value;
    switch (oriel_decimal_parse(text.bytes, text.length, type->precision, type->scale, &value)) {
    case 0: memcpy(out, &value, sizeof value); return CSV_VALUE_OK;
    case 2: return CSV_VALUE_NULL;
    default: return CSV_VALUE_BAD;
    }
}

static enum csv_value_result parse_binary(struct oriel_arena *arena, struct oriel_text text,
                                          void *out) {
    char *bytes = oriel_arena_allocate(arena, text.length / 4 * 3 + 3);
    if (!bytes)
        return CSV_VALUE_MEMORY;
    size_t length;
    if (!csv_base64_decode(text, bytes, &length))
        return CSV_VALUE_BAD;
    const struct oriel_string value = oriel_string_make(bytes, length);
    memcpy(out, &value, sizeof value);
    return CSV_VALUE_OK;
}

static enum csv_value_result result_of(enum oriel_parse_result result) {
    return result == ORIEL_PARSE_OK        ? CSV_VALUE_OK
           : result == ORIEL_PARSE_LENIENT ? CSV_VALUE_LENIENT
                                           : CSV_VALUE_BAD;
}

static enum csv_value_result parse_day_or_time(const struct oriel_type *type,
                                               struct oriel_text text, void *out) {
    static const int32_t unit_ms[] = {1000, 100, 10};
    int32_t value = 0;
    enum oriel_parse_result result;
    if (type->id == ORIEL_TYPE_DATE) {
        result = oriel_date_parse(text.bytes, text.length, &value);
    } else {
        result = oriel_time_parse(text.bytes, text.length, &value);
        if (type->precision < 3)
            value -= value % unit_ms[type->precision];
    }
    memcpy(out, &value, sizeof value);
    return result_of(result);
}

/* Flink keeps fractions beyond the precision of the column; so do we, down to what the type holds.
 */
static enum csv_value_result parse_timestamp(const struct oriel_type *type, struct oriel_text text,
                                             void *out) {
    text = trim(text);
    if (type->id == ORIEL_TYPE_TIMESTAMP_LTZ) {
        if (text.length == 0 || text.bytes[text.length - 1] != 'Z')
            return CSV_VALUE_BAD;
        text.length--;
    }
    int64_t ms = 0;
    int32_t nanos = 0;
    const enum oriel_parse_result result =
        oriel_timestamp_parse(text.bytes, text.length, &ms, &nanos);
    if (result == ORIEL_PARSE_BAD)
        return CSV_VALUE_BAD;
    if (type->precision > 3) {
        const oriel_i128 value = (oriel_i128)ms * NANOS_PER_MS + nanos;
        memcpy(out, &value, sizeof value);
    } else {
        memcpy(out, &ms, sizeof ms);
    }
    return result_of(result);
}

enum csv_value_result csv_value_parse(const struct oriel_type *type, struct oriel_arena *arena,
                                      struct oriel_text text, void *out) {
    switch (type->id) {
    case ORIEL_TYPE_BOOLEAN: return parse_boolean(text, out);
    case ORIEL_TYPE_TINYINT: return parse_integer(text, INT8_MIN, INT8_MAX, out, 1);
    case ORIEL_TYPE_SMALLINT: return parse_integer(text, INT16_MIN, INT16_MAX, out, 2);
    case ORIEL_TYPE_INT: return parse_integer(text, INT32_MIN, INT32_MAX, out, 4);
    case ORIEL_TYPE_BIGINT: return parse_integer(text, INT64_MIN, INT64_MAX, out, 8);
    case ORIEL_TYPE_FLOAT:
    case ORIEL_TYPE_DOUBLE: return parse_floating(type, text, out);
    case ORIEL_TYPE_DECIMAL: return parse_decimal(type, text, out);
    case ORIEL_TYPE_CHAR:
    case ORIEL_TYPE_VARCHAR: {
        const struct oriel_string value = oriel_string_make(text.bytes, text.length);
        memcpy(out, &value, sizeof value);
        return CSV_VALUE_OK;
    }
    case ORIEL_TYPE_BINARY:
    case ORIEL_TYPE_VARBINARY: return parse_binary(arena, text, out);
    case ORIEL_TYPE_DATE:
    case ORIEL_TYPE_TIME: return parse_day_or_time(type, text, out);
    case ORIEL_TYPE_TIMESTAMP:
    case ORIEL_TYPE_TIMESTAMP_LTZ: return parse_timestamp(type, text, out);
    default: return CSV_VALUE_BAD; /* refused when the source is opened */
    }
}

bool csv_is_null_literal(const struct oriel_csv_options *options, struct oriel_text text,
                         bool quoted) {
    if (!options->null_literal || text.length != options->null_literal_length)
        return false;
    if (text.length == 0)
        return !(quoted && options->quoted_empty_is_string);
    return memcmp(text.bytes, options->null_literal, text.length) == 0;
}

enum csv_value_result csv_value_decode(const struct csv_source *source, struct oriel_arena *arena,
                                       const struct csv_column_plan *plan, const char *text,
                                       size_t length, void *out) {
    struct oriel_text content;
    bool quoted;
    const enum csv_value_result unquoted =
        csv_value_content(source, arena, text, length, &content, &quoted);
    if (unquoted != CSV_VALUE_OK)
        return unquoted;
    enum csv_value_result result;
    if (plan->type.id == ORIEL_TYPE_ARRAY || plan->type.id == ORIEL_TYPE_ROW)
        result = csv_value_nested(source, arena, &plan->type, content, out);
    else if (csv_is_null_literal(&source->options, content, quoted))
        result = CSV_VALUE_NULL;
    else
        result = csv_value_parse(&plan->type, arena, content, out);
    if (result == CSV_VALUE_BAD && source->options.ignore_parse_errors)
        return CSV_VALUE_NULL;
    return result;
}
