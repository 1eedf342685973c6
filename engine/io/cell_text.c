/*
 * Cells of fixed size as text, for the formats that are written in bulk: integers two digits a
 * step, times with the last one and its day kept, because neighbouring rows mostly share a window.
 */
#include "engine/io/formatter_internal.h"

#include "engine/base/civil.h"
#include "engine/io/java_text.h"

static const char digit_pairs[201] = "00010203040506070809"
                                     "10111213141516171819"
                                     "20212223242526272829"
                                     "30313233343536373839"
                                     "40414243444546474849"
                                     "50515253545556575859"
                                     "60616263646566676869"
                                     "70717273747576777879"
                                     "80818283848586878889"
                                     "90919293949596979899";

static void write_pair(char *out, unsigned value) {
    memcpy(out, digit_pairs + 2 * (size_t)value, 2);
}

char *oriel_cell_integer(char *out, int64_t value) {
    uint64_t rest = (uint64_t)value;
    if (value < 0) {
        *out++ = '-';
        rest = 0 - rest;
    }
    char digits[20];
    char *at = digits + sizeof digits;
    while (rest >= 100) {
        at -= 2;
        write_pair(at, (unsigned)(rest % 100));
        rest /= 100;
    }
    if (rest >= 10) {
        at -= 2;
        write_pair(at, (unsigned)rest);
    } else {
        *--at = (char)('0' + rest);
    }
    const size_t length = (size_t)(digits + sizeof digits - at);
    memcpy(out, at, length);
    return out + length;
}

int64_t oriel_cell_integer_value(const struct oriel_column *column, enum oriel_physical physical,
                                 size_t row) {
    switch (physical) {
    case ORIEL_PHYSICAL_I8: return ((const int8_t *)column->values)[row];
    case ORIEL_PHYSICAL_I16: return ((const int16_t *)column->values)[row];
    case ORIEL_PHYSICAL_I32: return ((const int32_t *)column->values)[row];
    default: return ((const int64_t *)column->values)[row];
    }
}

enum {
    DATE_LENGTH = 10,
    FIRST_DAY = -719162, /* 0001-01-01 */
    LAST_DAY = 2932896,  /* 9999-12-31 */
};

static void fill_day(struct oriel_cell_cache *cache, int64_t day) {
    char text[ORIEL_TIMESTAMP_TEXT_BYTES];
    oriel_date_print((int32_t)day, text);
    memcpy(cache->text, text, DATE_LENGTH);
    cache->text[DATE_LENGTH] = ' ';
    cache->day = day;
    cache->day_filled = true;
}

static size_t trimmed_length(const char *text, size_t length) {
    while (length > 0 && text[length - 1] == '0')
        length--;
    return length > 0 && text[length - 1] == '.' ? length - 1 : length;
}

/* Writes hh:mm:ss[.fff] behind the day of the cache. */
static void fill_time(struct oriel_cell_cache *cache, unsigned ms_of_day, unsigned precision) {
    char *at = cache->text + DATE_LENGTH + 1;
    const unsigned seconds = ms_of_day / 1000;
    const unsigned fraction = ms_of_day % 1000;
    write_pair(at, seconds / 3600);
    at[2] = ':';
    write_pair(at + 3, seconds / 60 % 60);
    at[5] = ':';
    write_pair(at + 6, seconds % 60);
    at[8] = '.';
    at[9] = (char)('0' + fraction / 100);
    write_pair(at + 10, fraction % 100);
    cache->length = (uint8_t)(DATE_LENGTH + 9 + (precision ? 1 + precision : 0));
}

char *oriel_cell_timestamp(char *out, struct oriel_cell_cache *cache, int64_t ms,
                           unsigned precision, bool trim_fraction) {
    if (!cache->filled || cache->ms != ms) {
        const int64_t day = oriel_floor_div(ms, ORIEL_MS_PER_DAY);
        if (day < FIRST_DAY || day > LAST_DAY) {
            cache->day_filled = false;
            cache->length = (uint8_t)oriel_timestamp_print(ms, 0, precision, cache->text);
        } else {
            if (!cache->day_filled || cache->day != day)
                fill_day(cache, day);
            fill_time(cache, (unsigned)(ms - day * ORIEL_MS_PER_DAY), precision);
        }
        if (trim_fraction && precision)
            cache->length = (uint8_t)trimmed_length(cache->text, cache->length);
        cache->ms = ms;
        cache->filled = true;
    }
    memcpy(out, cache->text, ORIEL_CELL_CACHE_BYTES);
    return out + cache->length;
}

size_t oriel_cell_as_flink(const struct oriel_column *column, size_t row, bool plain, char *out) {
    const struct oriel_type *type = &column->type;
    if (type->id == ORIEL_TYPE_DECIMAL && !plain)
        return oriel_java_decimal(((const oriel_i128 *)column->values)[row], type->scale, true,
                                  out);
    const size_t size = oriel_physical_size(oriel_type_physical(type));
    const size_t length =
        oriel_value_print_fixed(type, (const char *)column->values + row * size, NULL, out);
    const bool has_fraction = type->id == ORIEL_TYPE_TIME || oriel_type_is_timestamp(type);
    return has_fraction && type->precision ? trimmed_length(out, length) : length;
}

static const char base64_digits[65] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *oriel_cell_base64(char *out, const char *bytes, size_t length) {
    for (size_t i = 0; i < length; i += 3) {
        const size_t count = length - i < 3 ? length - i : 3;
        uint32_t group = 0;
        for (size_t k = 0; k < 3; k++)
            group = group << 8 | (k < count ? (unsigned char)bytes[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            *out++ = k <= count ? base64_digits[group >> (18 - 6 * k) & 63] : '=';
    }
    return out;
}
