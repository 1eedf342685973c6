/*
 * Values as text, one row at a time into a growing buffer. Room for the longest fixed-size text is
 * made once a value, so that printing itself checks nothing.
 */
#include "engine/columns/value_text.h"

#include <string.h>

#include "engine/base/civil.h"
#include "engine/base/decimal.h"
#include "engine/base/number_text.h"
#include "engine/base/zone.h"
#include "engine/columns/value.h"

enum { TEXT_FIRST_BYTES = 256, MONTHS_PER_YEAR = 12 };

_Static_assert((int)ORIEL_VALUE_TEXT_BYTES >= (int)ORIEL_DECIMAL_TEXT_BYTES &&
                   (int)ORIEL_VALUE_TEXT_BYTES >= (int)ORIEL_TIMESTAMP_TEXT_BYTES &&
                   (int)ORIEL_VALUE_TEXT_BYTES >= (int)ORIEL_NUMBER_TEXT_BYTES,
               "every fixed-size value fits");

void oriel_text_buffer_init(struct oriel_text_buffer *buffer, struct oriel_memory *memory) {
    *buffer = (struct oriel_text_buffer){.memory = memory};
}

void oriel_text_buffer_deinit(struct oriel_text_buffer *buffer) {
    oriel_memory_release(buffer->memory, buffer->bytes, buffer->capacity);
    oriel_text_buffer_init(buffer, buffer->memory);
}

enum oriel_status oriel_text_buffer_reserve(struct oriel_text_buffer *buffer, size_t extra) {
    size_t needed;
    if (__builtin_add_overflow(buffer->length, extra, &needed))
        return ORIEL_MEMORY;
    if (needed <= buffer->capacity)
        return ORIEL_OK;
    size_t wanted = buffer->capacity ? buffer->capacity : TEXT_FIRST_BYTES;
    while (wanted < needed)
        wanted = wanted > SIZE_MAX / 2 ? needed : wanted * 2;
    char *grown = oriel_memory_resize(buffer->memory, buffer->bytes, buffer->capacity, wanted);
    if (!grown)
        return ORIEL_MEMORY;
    buffer->bytes = grown;
    buffer->capacity = wanted;
    return ORIEL_OK;
}

enum oriel_status oriel_text_buffer_append(struct oriel_text_buffer *buffer, const char *bytes,
                                           size_t length) {
    ORIEL_TRY(oriel_text_buffer_reserve(buffer, length));
    if (length)
        memcpy(buffer->bytes + buffer->length, bytes, length);
    buffer->length += length;
    return ORIEL_OK;
}

static char *write_padded(char *out, uint32_t value, int width) {
    for (int i = width - 1; i >= 0; i--, value /= 10)
        out[i] = (char)('0' + value % 10);
    return out + width;
}

/* +1-02: years and months. */
static size_t print_months(int32_t months, char *out) {
    const int64_t magnitude = months < 0 ? -(int64_t)months : months;
    char *end = out;
    *end++ = months < 0 ? '-' : '+';
    end += oriel_integer_print(magnitude / MONTHS_PER_YEAR, end);
    *end++ = '-';
    return (size_t)(write_padded(end, (uint32_t)(magnitude % MONTHS_PER_YEAR), 2) - out);
}

/* +1 00:00:00.000: days, then the time of the day to the millisecond. */
static size_t print_interval(int64_t ms, char *out) {
    const uint64_t magnitude = ms < 0 ? UINT64_C(0) - (uint64_t)ms : (uint64_t)ms;
    const uint32_t rest = (uint32_t)(magnitude % ORIEL_MS_PER_DAY);
    char *end = out;
    *end++ = ms < 0 ? '-' : '+';
    end += oriel_integer_print((int64_t)(magnitude / ORIEL_MS_PER_DAY), end);
    *end++ = ' ';
    end = write_padded(end, rest / 3600000, 2);
    *end++ = ':';
    end = write_padded(end, rest / 60000 % 60, 2);
    *end++ = ':';
    end = write_padded(end, rest / 1000 % 60, 2);
    *end++ = '.';
    return (size_t)(write_padded(end, rest % 1000, 3) - out);
}

static size_t print_timestamp(const struct oriel_type *type, const void *value,
                              const struct oriel_zone *zone, char *out) {
    int64_t ms;
    int32_t nanos = 0;
    if (oriel_type_physical(type) == ORIEL_PHYSICAL_I64) {
        ms = *(const int64_t *)value;
    } else {
        const oriel_i128 total = *(const oriel_i128 *)value;
        oriel_i128 quotient = total / 1000000;
        nanos = (int32_t)(total % 1000000);
        if (nanos < 0) {
            nanos += 1000000;
            quotient--;
        }
        ms = (int64_t)quotient;
    }
    if (type->id == ORIEL_TYPE_TIMESTAMP_LTZ && zone)
        ms = oriel_zone_to_local(zone, ms);
    return oriel_timestamp_print(ms, nanos, type->precision, out);
}

size_t oriel_value_print_fixed(const struct oriel_type *type, const void *value,
                               const struct oriel_zone *zone, char out[ORIEL_VALUE_TEXT_BYTES]) {
    switch (type->id) {
    case ORIEL_TYPE_BOOLEAN: {
        const bool truth = *(const int8_t *)value;
        memcpy(out, truth ? "TRUE" : "FALSE", 5);
        return truth ? 4 : 5;
    }
    case ORIEL_TYPE_TINYINT: return oriel_integer_print(*(const int8_t *)value, out);
    case ORIEL_TYPE_SMALLINT: return oriel_integer_print(*(const int16_t *)value, out);
    case ORIEL_TYPE_INT: return oriel_integer_print(*(const int32_t *)value, out);
    case ORIEL_TYPE_BIGINT: return oriel_integer_print(*(const int64_t *)value, out);
    case ORIEL_TYPE_FLOAT: return oriel_float_print(*(const float *)value, out);
    case ORIEL_TYPE_DOUBLE: return oriel_double_print(*(const double *)value, out);
    case ORIEL_TYPE_DECIMAL:
        return oriel_decimal_print(*(const oriel_i128 *)value, type->scale, out);
    case ORIEL_TYPE_DATE: return oriel_date_print(*(const int32_t *)value, out);
    case ORIEL_TYPE_TIME: return oriel_time_print(*(const int32_t *)value, type->precision, out);
    case ORIEL_TYPE_TIMESTAMP:
    case ORIEL_TYPE_TIMESTAMP_LTZ: return print_timestamp(type, value, zone, out);
    case ORIEL_TYPE_INTERVAL_DAY: return print_interval(*(const int64_t *)value, out);
    case ORIEL_TYPE_INTERVAL_YEAR: return print_months(*(const int32_t *)value, out);
    default: return 0;
    }
}

/* x'0aff' */
static enum oriel_status print_binary(struct oriel_text_buffer *buffer,
                                      const struct oriel_string *value) {
    static const char digits[] = "0123456789abcdef";
    const char *bytes = oriel_string_bytes(value);
    ORIEL_TRY(oriel_text_buffer_reserve(buffer, 2 * (size_t)value->length + 3));
    char *out = buffer->bytes + buffer->length;
    *out++ = 'x';
    *out++ = '\'';
    for (uint32_t i = 0; i < value->length; i++) {
        *out++ = digits[(unsigned char)bytes[i] >> 4];
        *out++ = digits[(unsigned char)bytes[i] & 15];
    }
    *out = '\'';
    buffer->length += 2 * (size_t)value->length + 3;
    return ORIEL_OK;
}

static enum oriel_status print_value(struct oriel_text_buffer *buffer,
                                     const struct oriel_type *type, const void *value,
                                     const struct oriel_zone *zone);

/* [1, 2, NULL], (1, x), {k=1, l=2} */
static enum oriel_status print_nested(struct oriel_text_buffer *buffer,
                                      const struct oriel_type *type,
                                      const struct oriel_nested *value,
                                      const struct oriel_zone *zone) {
    const char *brackets = type->id == ORIEL_TYPE_ARRAY ? "[]"
                           : type->id == ORIEL_TYPE_ROW ? "()"
                                                        : "{}";
    const uint32_t slot_count = oriel_nested_slot_count(type, value);
    ORIEL_TRY(oriel_text_buffer_append(buffer, brackets, 1));
    for (uint32_t i = 0; i < slot_count; i++) {
        if (type->id == ORIEL_TYPE_MAP && i % 2)
            ORIEL_TRY(oriel_text_buffer_append(buffer, "=", 1));
        else if (i)
            ORIEL_TRY(oriel_text_buffer_append(buffer, ", ", 2));
        if (oriel_bits_get(value->valid, i))
            ORIEL_TRY(print_value(buffer, oriel_nested_slot_type(type, i), &value->slots[i], zone));
        else
            ORIEL_TRY(oriel_text_buffer_append(buffer, "NULL", 4));
    }
    return oriel_text_buffer_append(buffer, brackets + 1, 1);
}

static enum oriel_status print_value(struct oriel_text_buffer *buffer,
                                     const struct oriel_type *type, const void *value,
                                     const struct oriel_zone *zone) {
    switch (type->id) {
    case ORIEL_TYPE_CHAR:
    case ORIEL_TYPE_VARCHAR: {
        const struct oriel_string *string = value;
        return oriel_text_buffer_append(buffer, oriel_string_bytes(string), string->length);
    }
    case ORIEL_TYPE_BINARY:
    case ORIEL_TYPE_VARBINARY: return print_binary(buffer, value);
    case ORIEL_TYPE_ARRAY:
    case ORIEL_TYPE_MAP:
    case ORIEL_TYPE_ROW:
        return print_nested(buffer, type, *(const struct oriel_nested *const *)value, zone);
    default:
        ORIEL_TRY(oriel_text_buffer_reserve(buffer, ORIEL_VALUE_TEXT_BYTES));
        buffer->length +=
            oriel_value_print_fixed(type, value, zone, buffer->bytes + buffer->length);
        return ORIEL_OK;
    }
}

enum oriel_status oriel_value_print(struct oriel_text_buffer *buffer,
                                    const struct oriel_column *column, size_t row,
                                    const struct oriel_zone *zone) {
    if (oriel_column_is_null(column, row) || column->type.id == ORIEL_TYPE_NULL)
        return oriel_text_buffer_append(buffer, "<NULL>", 6);
    const size_t size_bytes = oriel_physical_size(oriel_type_physical(&column->type));
    return print_value(buffer, &column->type, (const char *)column->values + row * size_bytes,
                       zone);
}
