/*
 * Cells of fixed size as text, for the formats that are written in bulk: integers eight digits a
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

enum { WORD_DIGITS = 8 };

static const uint64_t word_limit = 100000000; /* 10^WORD_DIGITS */

/* The decimal digits of a value below 10^8, the first in the lowest byte, which is the first in
 * memory: halves, then quarters, then single digits are divided side by side in one word. */
static uint64_t digits_of(uint64_t value) {
    const uint64_t fours = value / 10000 | value % 10000 << 32;
    const uint64_t hundreds = (fours * 10486 >> 20) & UINT64_C(0x0000007F0000007F);
    const uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
    const uint64_t tens = (twos * 103 >> 10) & UINT64_C(0x000F000F000F000F);
    return tens | (twos - 10 * tens) << 8;
}

static const uint64_t zeros = UINT64_C(0x3030303030303030);

static unsigned digit_count(uint64_t value) {
    static const uint64_t powers[] = {1,      10,      100,      1000,     10000,
                                      100000, 1000000, 10000000, 100000000};
    const unsigned bits = 64 - (unsigned)__builtin_clzll(value | 1);
    const unsigned count = bits * 1233 >> 12; /* log10(2) = 1233 / 4096, nearly */
    return count + ((value | 1) >= powers[count]);
}

/* Of a value below 10^8; WORD_DIGITS bytes are written, those of the number counted. The count does
 * not come from the digits: the place of the next cell waits for it. */
static char *write_short(char *out, uint64_t value) {
    const unsigned count = digit_count(value);
    const uint64_t text = (digits_of(value) | zeros) >> 8 * (WORD_DIGITS - count);
    memcpy(out, &text, sizeof text);
    return out + count;
}

static char *write_full(char *out, uint64_t value) {
    const uint64_t text = digits_of(value) | zeros;
    memcpy(out, &text, sizeof text);
    return out + WORD_DIGITS;
}

char *oriel_cell_integer(char *out, int64_t value) {
    uint64_t rest = (uint64_t)value;
    if (value < 0) {
        *out++ = '-';
        rest = 0 - rest;
    }
    if (rest < 10) { /* counts, often */
        *out = (char)('0' + rest);
        return out + 1;
    }
    if (rest < word_limit)
        return write_short(out, rest);
    const uint64_t high = rest / word_limit;
    if (high < word_limit)
        return write_full(write_short(out, high), rest % word_limit);
    out = write_short(out, high / word_limit);
    return write_full(write_full(out, high % word_limit), rest % word_limit);
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
    memcpy(cache->day_text, text, DATE_LENGTH);
    cache->day_text[DATE_LENGTH] = ' ';
    cache->day = day;
    cache->day_filled = true;
}

static size_t trimmed_length(const char *text, size_t length) {
    while (length > 0 && text[length - 1] == '0')
        length--;
    return length > 0 && text[length - 1] == '.' ? length - 1 : length;
}

/* hh:mm:ss.fff, DATE_LENGTH + 1 bytes into `out`. */
static void write_time(char *out, unsigned ms_of_day) {
    char *at = out + DATE_LENGTH + 1;
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
}

static size_t write_timestamp(char *out, struct oriel_cell_cache *cache, int64_t ms,
                              unsigned precision) {
    const int64_t day = oriel_floor_div(ms, ORIEL_MS_PER_DAY);
    if (day < FIRST_DAY || day > LAST_DAY)
        return oriel_timestamp_print(ms, 0, precision, out);
    if (!cache->day_filled || cache->day != day)
        fill_day(cache, day);
    memcpy(out, cache->day_text, sizeof cache->day_text);
    write_time(out, (unsigned)(ms - day * ORIEL_MS_PER_DAY));
    return DATE_LENGTH + 9 + (precision ? 1 + precision : 0);
}

char *oriel_cell_timestamp(char *out, struct oriel_cell_cache *cache, int64_t ms,
                           unsigned precision, bool trim_fraction) {
    const bool repeats = cache->filled && cache->ms == ms;
    if (repeats && cache->text_filled) {
        memcpy(out, cache->text, ORIEL_CELL_CACHE_BYTES);
        return out + cache->length;
    }
    size_t length = write_timestamp(out, cache, ms, precision);
    if (trim_fraction && precision)
        length = trimmed_length(out, length);
    /* Kept when it comes again: to read at once what was written byte by byte stalls. */
    if (repeats)
        memcpy(cache->text, out, length);
    cache->text_filled = repeats;
    cache->length = (uint8_t)length;
    cache->ms = ms;
    cache->filled = true;
    return out + length;
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
