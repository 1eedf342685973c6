/*
 * Values as JSON into a growing text. Numbers take the form of Java's BigDecimal, e.g. 1.0E+7.
 */
#include "engine/functions/json_value.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/decimal.h"
#include "engine/base/number_text.h"
#include "engine/columns/value.h"
#include "engine/functions/json_tree.h"

const struct oriel_type *oriel_json_unwritable(const struct oriel_type *type) {
    switch (type->id) {
    case ORIEL_TYPE_NULL:
    case ORIEL_TYPE_DATE:
    case ORIEL_TYPE_TIME:
    case ORIEL_TYPE_INTERVAL_DAY:
    case ORIEL_TYPE_INTERVAL_YEAR: return type;
    case ORIEL_TYPE_MAP:
        if (!oriel_type_is_character(&type->fields[0].type))
            return &type->fields[0].type;
        return oriel_json_unwritable(&type->fields[1].type);
    default: break;
    }
    for (uint32_t i = 0; i < type->field_count; i++) {
        const struct oriel_type *part = oriel_json_unwritable(&type->fields[i].type);
        if (part)
            return part;
    }
    return NULL;
}

static enum oriel_status append(struct oriel_text_buffer *text, const char *bytes, size_t length) {
    return oriel_text_buffer_append(text, bytes, length);
}

/* Writes what stands for a byte that a string may not hold; its length, or 0. */
static size_t escape_of(unsigned char byte, char out[6]) {
    static const char short_forms[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; short_forms[i]; i += 2) {
        if (byte == (unsigned char)short_forms[i]) {
            out[0] = '\\';
            out[1] = short_forms[i + 1];
            return 2;
        }
    }
    if (byte >= 0x20)
        return 0;
    memcpy(out, "\\u00", 4);
    out[4] = digits[byte >> 4];
    out[5] = digits[byte & 15];
    return 6;
}

enum oriel_status oriel_json_append_text(struct oriel_text_buffer *text, const char *bytes,
                                         size_t length) {
    size_t plain = 0; /* start of the bytes that are not written yet */
    ORIEL_TRY(append(text, "\"", 1));
    for (size_t i = 0; i < length; i++) {
        char escape[6];
        const size_t escape_length = escape_of((unsigned char)bytes[i], escape);
        if (!escape_length)
            continue;
        ORIEL_TRY(append(text, bytes + plain, i - plain));
        ORIEL_TRY(append(text, escape, escape_length));
        plain = i + 1;
    }
    ORIEL_TRY(append(text, bytes + plain, length - plain));
    return append(text, "\"", 1);
}

static enum oriel_status append_base64(struct oriel_text_buffer *text,
                                       const struct oriel_string *value) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *bytes = (const unsigned char *)oriel_string_bytes(value);
    const size_t length = value->length;
    ORIEL_TRY(oriel_text_buffer_reserve(text, (length + 2) / 3 * 4 + 2));
    char *out = text->bytes + text->length;
    *out++ = '"';
    for (size_t i = 0; i < length; i += 3) {
        const size_t left = length - i;
        const uint32_t three = (uint32_t)bytes[i] << 16 |
                               (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                               (left > 2 ? (uint32_t)bytes[i + 2] : 0);
        *out++ = digits[three >> 18];
        *out++ = digits[three >> 12 & 63];
        *out++ = left > 1 ? digits[three >> 6 & 63] : '=';
        *out++ = left > 2 ? digits[three & 63] : '=';
    }
    *out++ = '"';
    text->length = (size_t)(out - text->bytes);
    return ORIEL_OK;
}

enum oriel_status oriel_json_append_decimal(struct oriel_text_buffer *text, bool negative,
                                            const char *digits, int count, int scale) {
    const int64_t exponent = (int64_t)count - 1 - scale; /* of the first digit */
    ORIEL_TRY(oriel_text_buffer_reserve(text, (size_t)count + 32));
    char *out = text->bytes + text->length;
    if (negative)
        *out++ = '-';
    const bool plain = scale >= 0 && exponent >= -6;
    int before = plain ? count - scale : 1; /* digits before the point */
    if (before <= 0) {
        memcpy(out, "0.000000", 8);
        out += 2 - before;
        memcpy(out, digits, (size_t)count);
        out += count;
    } else {
        memcpy(out, digits, (size_t)before);
        out += before;
        if (before < count) {
            *out++ = '.';
            memcpy(out, digits + before, (size_t)(count - before));
            out += count - before;
        }
    }
    if (!plain) {
        *out++ = 'E';
        if (exponent >= 0)
            *out++ = '+';
        out += oriel_integer_print(exponent, out);
    }
    text->length = (size_t)(out - text->bytes);
    return ORIEL_OK;
}

static enum oriel_status append_unscaled(struct oriel_text_buffer *text, oriel_i128 value,
                                         int scale) {
    char digits[ORIEL_DECIMAL_TEXT_BYTES];
    const size_t length = oriel_decimal_print(value, 0, digits);
    const bool negative = digits[0] == '-';
    return oriel_json_append_decimal(text, negative, digits + negative, (int)length - negative,
                                     scale);
}

/* The digits of Double.toString as a BigDecimal. */
static enum oriel_status append_double(struct oriel_text_buffer *text, double value) {
    char printed[ORIEL_NUMBER_TEXT_BYTES], digits[ORIEL_NUMBER_TEXT_BYTES];
    const size_t length = oriel_double_print(value, printed);
    size_t at = printed[0] == '-';
    if (printed[at] < '0' || printed[at] > '9')
        return oriel_json_append_text(text, printed, length);
    int count = 0, scale = 0;
    bool fraction = false, zero = true;
    for (; at < length && printed[at] != 'E'; at++) {
        if (printed[at] == '.') {
            fraction = true;
            continue;
        }
        scale += fraction;
        zero = zero && printed[at] == '0';
        if (!zero)
            digits[count++] = printed[at];
    }
    if (zero)
        return oriel_json_append_decimal(text, false, "0", 1, scale);
    if (at < length) {
        int64_t exponent = 0;
        oriel_integer_parse(printed + at + 1, length - at - 1, -400, 400, &exponent);
        scale -= (int)exponent;
    }
    return oriel_json_append_decimal(text, printed[0] == '-', digits, count, scale);
}

/* The fraction has as many digits as it needs. */
static enum oriel_status append_timestamp(struct oriel_text_buffer *text,
                                          const struct oriel_type *type, const void *value) {
    char printed[ORIEL_VALUE_TEXT_BYTES];
    size_t length = oriel_value_print_fixed(type, value, NULL, printed);
    char *blank = memchr(printed, ' ', length);
    if (blank)
        *blank = 'T';
    if (memchr(printed, '.', length)) {
        while (printed[length - 1] == '0')
            length--;
        if (printed[length - 1] == '.')
            length--;
    }
    ORIEL_TRY(append(text, "\"", 1));
    ORIEL_TRY(append(text, printed, length));
    if (type->id == ORIEL_TYPE_TIMESTAMP_LTZ)
        ORIEL_TRY(append(text, "Z", 1));
    return append(text, "\"", 1);
}

struct field {
    struct oriel_text name;
    uint32_t slot;
};

static int compare_fields(const void *a, const void *b) {
    const struct field *x = a, *y = b;
    const int order = oriel_json_compare_keys(x->name, y->name);
    return order ? order : x->slot < y->slot ? -1 : x->slot > y->slot;
}

static enum oriel_status append_slot(struct oriel_text_buffer *text, const struct oriel_type *type,
                                     const struct oriel_nested *nested, uint32_t slot) {
    if (!oriel_bits_get(nested->valid, slot))
        return append(text, "null", 4);
    return oriel_json_append(text, oriel_nested_slot_type(type, slot), &nested->slots[slot]);
}

static enum oriel_status append_fields(struct oriel_text_buffer *text,
                                       const struct oriel_type *type,
                                       const struct oriel_nested *nested,
                                       const struct field *fields, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i)
            ORIEL_TRY(append(text, ",", 1));
        ORIEL_TRY(oriel_json_append_text(text, fields[i].name.bytes, fields[i].name.length));
        ORIEL_TRY(append(text, ":", 1));
        ORIEL_TRY(append_slot(text, type, nested, fields[i].slot));
    }
    return ORIEL_OK;
}

/* The fields of a ROW, the entries of a MAP, by name. */
static enum oriel_status append_object(struct oriel_text_buffer *text,
                                       const struct oriel_type *type,
                                       const struct oriel_nested *nested) {
    const bool map = type->id == ORIEL_TYPE_MAP;
    const size_t count = nested->count, size_bytes = (count + 1) * sizeof(struct field);
    struct field *fields = oriel_memory_allocate(text->memory, size_bytes);
    if (!fields)
        return ORIEL_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        const char *name = map ? NULL : type->fields[i].name;
        fields[i].slot = map ? 2 * i + 1 : i;
        fields[i].name = oriel_text_of(name ? name : "");
        if (map)
            fields[i].name =
                oriel_bits_get(nested->valid, 2 * i)
                    ? oriel_string_text((const struct oriel_string *)&nested->slots[2 * i])
                    : ORIEL_TEXT("null");
    }
    qsort(fields, count, sizeof *fields, compare_fields);
    enum oriel_status status = append(text, "{", 1);
    if (status == ORIEL_OK)
        status = append_fields(text, type, nested, fields, count);
    oriel_memory_release(text->memory, fields, size_bytes);
    return status == ORIEL_OK ? append(text, "}", 1) : status;
}

static enum oriel_status append_array(struct oriel_text_buffer *text, const struct oriel_type *type,
                                      const struct oriel_nested *nested) {
    ORIEL_TRY(append(text, "[", 1));
    for (uint32_t i = 0; i < nested->count; i++) {
        if (i)
            ORIEL_TRY(append(text, ",", 1));
        ORIEL_TRY(append_slot(text, type, nested, i));
    }
    return append(text, "]", 1);
}

enum oriel_status oriel_json_append(struct oriel_text_buffer *text, const struct oriel_type *type,
                                    const void *value) {
    switch (type->id) {
    case ORIEL_TYPE_BOOLEAN:
        return *(const int8_t *)value ? append(text, "true", 4) : append(text, "false", 5);
    case ORIEL_TYPE_FLOAT: return append_double(text, (double)*(const float *)value);
    case ORIEL_TYPE_DOUBLE: return append_double(text, *(const double *)value);
    case ORIEL_TYPE_DECIMAL: return append_unscaled(text, *(const oriel_i128 *)value, type->scale);
    case ORIEL_TYPE_CHAR:
    case ORIEL_TYPE_VARCHAR: {
        const struct oriel_string *string = value;
        return oriel_json_append_text(text, oriel_string_bytes(string), string->length);
    }
    case ORIEL_TYPE_BINARY:
    case ORIEL_TYPE_VARBINARY: return append_base64(text, value);
    case ORIEL_TYPE_TIMESTAMP:
    case ORIEL_TYPE_TIMESTAMP_LTZ: return append_timestamp(text, type, value);
    case ORIEL_TYPE_ARRAY:
        return append_array(text, type, *(const struct oriel_nested *const *)value);
    case ORIEL_TYPE_MAP:
    case ORIEL_TYPE_ROW:
        return append_object(text, type, *(const struct oriel_nested *const *)value);
    default:
        ORIEL_TRY(oriel_text_buffer_reserve(text, ORIEL_VALUE_TEXT_BYTES));
        text->length += oriel_value_print_fixed(type, value, NULL, text->bytes + text->length);
        return ORIEL_OK;
    }
}
