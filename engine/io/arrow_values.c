/*
 * One loop a layout. Buffers of other libraries need not be aligned, so values are copied out.
 */
#include "engine/io/arrow_values.h"

#include <string.h>

#include "engine/base/civil.h"
#include "engine/base/decimal.h"

int64_t oriel_arrow_integer(const struct oriel_arrow_type *type, const void *buffer, int64_t row) {
    const char *at = (const char *)buffer + row * (int64_t)type->width_bytes;
    const bool is_signed = type->layout != ORIEL_ARROW_UNSIGNED;
    switch (type->width_bytes) {
    case 1: return is_signed ? (int64_t) * (const int8_t *)at : (int64_t) * (const uint8_t *)at;
    case 2: {
        uint16_t value;
        memcpy(&value, at, sizeof value);
        return is_signed ? (int64_t)(int16_t)value : (int64_t)value;
    }
    case 4: {
        uint32_t value;
        memcpy(&value, at, sizeof value);
        return is_signed ? (int64_t)(int32_t)value : (int64_t)value;
    }
    default: {
        int64_t value;
        memcpy(&value, at, sizeof value);
        return value;
    }
    }
}

static enum oriel_status out_of_range(const char *name, int64_t value, struct oriel_error *error) {
    return oriel_error_set(error, ORIEL_DATA, "column '%s': the value %lld is out of range", name,
                           (long long)value);
}

/* Stores an integer in a column of any physical integer type. */
static bool store_integer(struct oriel_column *out, size_t row, __int128 value) {
    switch (oriel_type_physical(&out->type)) {
    case ORIEL_PHYSICAL_I8:
        ((int8_t *)out->values)[row] = (int8_t)value;
        return value == (int8_t)value;
    case ORIEL_PHYSICAL_I16:
        ((int16_t *)out->values)[row] = (int16_t)value;
        return value == (int16_t)value;
    case ORIEL_PHYSICAL_I32:
        ((int32_t *)out->values)[row] = (int32_t)value;
        return value == (int32_t)value;
    case ORIEL_PHYSICAL_I64:
        ((int64_t *)out->values)[row] = (int64_t)value;
        return value == (int64_t)value;
    default: ((oriel_i128 *)out->values)[row] = value; return true;
    }
}

static enum oriel_status read_integers(const struct oriel_arrow_type *type,
                                       const struct ArrowArray *array, const char *name,
                                       const int64_t *rows, size_t count, struct oriel_column *out,
                                       struct oriel_error *error) {
    const bool is_wide = type->layout == ORIEL_ARROW_UNSIGNED && type->width_bytes == 8;
    const bool is_time = type->type.id == ORIEL_TYPE_TIME;
    for (size_t i = 0; i < count; i++) {
        if (rows[i] < 0)
            continue;
        const int64_t raw = oriel_arrow_integer(type, array->buffers[1], rows[i]);
        const int64_t whole = type->divide == 1 ? raw : oriel_floor_div(raw, type->divide);
        const __int128 value = is_wide ? (__int128)(uint64_t)raw : (__int128)whole * type->multiply;
        if (!store_integer(out, i, value) || (is_time && (value < 0 || value >= ORIEL_MS_PER_DAY)))
            return out_of_range(name, raw, error);
    }
    return ORIEL_OK;
}

/* IEEE half precision: 1 sign, 5 exponent, 10 fraction bits. */
static float half_to_float(uint16_t half) {
    const uint32_t sign = (uint32_t)(half & 0x8000) << 16;
    uint32_t exponent = half >> 10 & 31;
    uint32_t fraction = half & 1023;
    uint32_t bits;
    if (exponent == 31) {
        bits = sign | 0x7f800000 | fraction << 13;
    } else if (exponent) {
        bits = sign | (exponent + 112) << 23 | fraction << 13;
    } else if (fraction) {
        exponent = 113;
        while (!(fraction & 1024)) {
            fraction <<= 1;
            exponent--;
        }
        bits = sign | exponent << 23 | (fraction & 1023) << 13;
    } else {
        bits = sign;
    }
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void read_floats(const struct oriel_arrow_type *type, const struct ArrowArray *array,
                        const int64_t *rows, size_t count, struct oriel_column *out) {
    const char *values = array->buffers[1];
    const bool is_wide = oriel_type_physical(&out->type) == ORIEL_PHYSICAL_F64;
    for (size_t i = 0; i < count; i++) {
        if (rows[i] < 0)
            continue;
        const char *at = values + rows[i] * (int64_t)type->width_bytes;
        double value;
        float narrow;
        uint16_t half;
        if (type->layout == ORIEL_ARROW_HALF_FLOAT) {
            memcpy(&half, at, sizeof half);
            narrow = half_to_float(half);
        } else if (type->width_bytes == sizeof narrow) {
            memcpy(&narrow, at, sizeof narrow);
        } else {
            memcpy(&value, at, sizeof value);
            ((double *)out->values)[i] = value;
            continue;
        }
        if (is_wide)
            ((double *)out->values)[i] = (double)narrow;
        else
            ((float *)out->values)[i] = narrow;
    }
}

static void read_booleans(const struct ArrowArray *array, const int64_t *rows, size_t count,
                          struct oriel_column *out) {
    const unsigned char *bits = array->buffers[1];
    for (size_t i = 0; i < count; i++) {
        if (rows[i] >= 0)
            ((int8_t *)out->values)[i] = (int8_t)(bits[rows[i] / 8] >> (rows[i] % 8) & 1);
    }
}

static enum oriel_status read_decimals(const struct oriel_arrow_type *type,
                                       const struct ArrowArray *array, const char *name,
                                       const int64_t *rows, size_t count, struct oriel_column *out,
                                       struct oriel_error *error) {
    const __int128 bound = oriel_decimal_power(type->type.precision);
    const __int128 factor = oriel_decimal_power((unsigned)out->type.scale - type->type.scale);
    for (size_t i = 0; i < count; i++) {
        if (rows[i] < 0)
            continue;
        const char *at = (const char *)array->buffers[1] + rows[i] * (int64_t)type->width_bytes;
        __int128 value, high;
        if (type->width_bytes >= 16)
            memcpy(&value, at, sizeof value);
        else
            value = oriel_arrow_integer(type, array->buffers[1], rows[i]);
        high = value >> 127;
        if (type->width_bytes == 32)
            memcpy(&high, at + 16, sizeof high);
        if (value >= bound || value <= -bound || high != value >> 127)
            return oriel_error_set(error, ORIEL_DATA,
                                   "column '%s': a value has more than %u digits", name,
                                   type->type.precision);
        ((oriel_i128 *)out->values)[i] = value * factor;
    }
    return ORIEL_OK;
}

bool oriel_arrow_is_utf8(const void *bytes, size_t length) {
    const unsigned char *at = bytes;
    const unsigned char *end = at + length;
    while (at < end) {
        uint64_t eight;
        if (end - at >= 8) {
            memcpy(&eight, at, sizeof eight);
            if (!(eight & UINT64_C(0x8080808080808080))) {
                at += 8;
                continue;
            }
        }
        const unsigned char lead = *at++;
        if (lead < 0x80)
            continue;
        const int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
        if (lead < 0xc2 || lead > 0xf4 || end - at < more)
            return false;
        const unsigned char low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
        const unsigned char high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
        if (at[0] < low || at[0] > high)
            return false;
        for (int i = 1; i < more; i++) {
            if ((at[i] & 0xc0) != 0x80)
                return false;
        }
        at += more;
    }
    return true;
}

int64_t oriel_arrow_offset(const void *offsets, bool is_wide, int64_t row) {
    if (is_wide) {
        int64_t value;
        memcpy(&value, (const char *)offsets + row * 8, sizeof value);
        return value;
    }
    int32_t value;
    memcpy(&value, (const char *)offsets + row * 4, sizeof value);
    return value;
}

bool oriel_arrow_find_view(const struct ArrowArray *array, int64_t row, struct oriel_text *out) {
    const char *view = (const char *)array->buffers[1] + row * 16;
    int32_t length, place[2];
    memcpy(&length, view, sizeof length);
    if (length < 0)
        return false;
    *out = (struct oriel_text){view + 4, (size_t)length};
    if (length <= ORIEL_STRING_INLINE_BYTES)
        return true;
    memcpy(place, view + 8, sizeof place);
    const int64_t buffer_count = array->n_buffers - 3;
    const char *sizes = array->buffers[array->n_buffers - 1];
    if (place[0] < 0 || place[0] >= buffer_count || place[1] < 0 || !sizes)
        return false;
    int64_t size;
    memcpy(&size, sizes + (int64_t)place[0] * 8, sizeof size);
    const char *buffer = array->buffers[2 + place[0]];
    if (!buffer || (int64_t)place[1] + length > size)
        return false;
    out->bytes = buffer + place[1];
    return true;
}

/* Finds the bytes of a string or binary value; false when its offsets are wrong. */
static bool find_text(const struct oriel_arrow_type *type, const struct ArrowArray *array,
                      int64_t row, struct oriel_text *out) {
    if (type->layout == ORIEL_ARROW_VIEWS)
        return oriel_arrow_find_view(array, row, out);
    if (type->layout == ORIEL_ARROW_FIXED) {
        *out = (struct oriel_text){
            (const char *)array->buffers[1] + row * (int64_t)type->width_bytes, type->width_bytes};
        return true;
    }
    const bool is_wide = type->layout == ORIEL_ARROW_OFFSETS_64;
    const int64_t begin = oriel_arrow_offset(array->buffers[1], is_wide, row);
    const int64_t end = oriel_arrow_offset(array->buffers[1], is_wide, row + 1);
    if (begin < 0 || end < begin || (end > begin && !array->buffers[2]))
        return false;
    const char *bytes = end > begin ? (const char *)array->buffers[2] + begin : "";
    *out = (struct oriel_text){bytes, (size_t)(end - begin)};
    return true;
}

static enum oriel_status read_texts(const struct oriel_arrow_type *type,
                                    const struct ArrowArray *array, const char *name,
                                    const int64_t *rows, size_t count, struct oriel_column *out,
                                    struct oriel_error *error) {
    struct oriel_string *values = out->values;
    for (size_t i = 0; i < count; i++) {
        struct oriel_text text;
        if (rows[i] < 0)
            continue;
        if (!find_text(type, array, rows[i], &text))
            return oriel_error_set(error, ORIEL_DATA, "column '%s': bad offsets at row %lld", name,
                                   (long long)rows[i]);
        if (text.length > INT32_MAX)
            return oriel_error_set(error, ORIEL_DATA,
                                   "column '%s': the text of row %lld has 2 GiB or more", name,
                                   (long long)rows[i]);
        if (type->is_text && !oriel_arrow_is_utf8(text.bytes, text.length))
            return oriel_error_set(error, ORIEL_DATA, "column '%s': row %lld is not UTF-8", name,
                                   (long long)rows[i]);
        values[i] = oriel_string_make(text.bytes, text.length);
    }
    return ORIEL_OK;
}

enum oriel_status oriel_arrow_values_read(const struct oriel_arrow_type *type,
                                          const struct ArrowArray *array, const char *name,
                                          const int64_t *rows, size_t count,
                                          struct oriel_column *out, struct oriel_error *error) {
    switch (type->layout) {
    case ORIEL_ARROW_SIGNED:
    case ORIEL_ARROW_UNSIGNED: return read_integers(type, array, name, rows, count, out, error);
    case ORIEL_ARROW_DECIMAL: return read_decimals(type, array, name, rows, count, out, error);
    case ORIEL_ARROW_BOOLEAN: read_booleans(array, rows, count, out); return ORIEL_OK;
    case ORIEL_ARROW_FLOAT:
    case ORIEL_ARROW_HALF_FLOAT: read_floats(type, array, rows, count, out); return ORIEL_OK;
    default: return read_texts(type, array, name, rows, count, out, error);
    }
}
