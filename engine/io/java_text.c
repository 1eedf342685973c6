/*
 * Numbers and times in the forms of Java's toString.
 */
#include "engine/io/java_text.h"

#include <string.h>

#include "engine/base/civil.h"
#include "engine/base/number_text.h"

enum { DIGITS_MAX = 40, PLAIN_EXPONENT_MIN = -6, MINUTES_LENGTH = 5 };

/* The digits of a magnitude; their number. */
static unsigned print_digits(oriel_u128 magnitude, char out[DIGITS_MAX]) {
    char reversed[DIGITS_MAX];
    unsigned count = 0;
    do {
        reversed[count++] = (char)('0' + (unsigned)(magnitude % 10));
        magnitude /= 10;
    } while (magnitude);
    for (unsigned i = 0; i < count; i++)
        out[i] = reversed[count - 1 - i];
    return count;
}

static char *append(char *out, const char *bytes, size_t length) {
    memcpy(out, bytes, length);
    return out + length;
}

/* With the point inside or before the digits. */
static char *print_plain(char *out, const char *digits, unsigned count, unsigned scale) {
    if (count > scale) {
        out = append(out, digits, count - scale);
        *out++ = '.';
        return append(out, digits + count - scale, scale);
    }
    out = append(out, "0.", 2);
    memset(out, '0', scale - count);
    return append(out + scale - count, digits, count);
}

size_t oriel_java_decimal(oriel_i128 value, unsigned scale, bool strip,
                          char out[ORIEL_JAVA_TEXT_BYTES]) {
    oriel_u128 magnitude = value < 0 ? -(oriel_u128)value : (oriel_u128)value;
    int places = (int)scale;
    char digits[DIGITS_MAX], *end = out;
    if (strip && magnitude == 0)
        places = 0;
    while (strip && magnitude && magnitude % 10 == 0) {
        magnitude /= 10;
        places--;
    }
    const unsigned count = print_digits(magnitude, digits);
    const int exponent = (int)count - 1 - places;
    if (value < 0)
        *end++ = '-';
    if (places == 0)
        return (size_t)(append(end, digits, count) - out);
    if (places > 0 && exponent >= PLAIN_EXPONENT_MIN)
        return (size_t)(print_plain(end, digits, count, (unsigned)places) - out);
    *end++ = digits[0];
    if (count > 1) {
        *end++ = '.';
        end = append(end, digits + 1, count - 1);
    }
    if (exponent != 0) {
        *end++ = 'E';
        if (exponent > 0)
            *end++ = '+';
        end += oriel_integer_print(exponent, end);
    }
    return (size_t)(end - out);
}

/* hh:mm[:ss[.fff[fff[fff]]]]: seconds that are 0 are left out unless `seconds`. */
static char *print_clock(char *out, int32_t ms_of_day, int32_t nanos_of_ms, bool seconds) {
    char text[ORIEL_TIMESTAMP_TEXT_BYTES];
    const int64_t nanos = (int64_t)(ms_of_day % 1000) * 1000000 + nanos_of_ms;
    oriel_time_print(ms_of_day - ms_of_day % 1000, 0, text);
    const bool has_seconds = seconds || ms_of_day % 60000 || nanos_of_ms;
    out = append(out, text, has_seconds ? MINUTES_LENGTH + 3 : MINUTES_LENGTH);
    if (nanos == 0)
        return out;
    const unsigned places = nanos % 1000 ? 9 : nanos % 1000000 ? 6 : 3;
    char digits[9];
    int64_t rest = nanos;
    for (unsigned i = 9; i-- > 0; rest /= 10)
        digits[i] = (char)('0' + rest % 10);
    *out++ = '.';
    return append(out, digits, places);
}

size_t oriel_java_time(const struct oriel_column *column, size_t row,
                       char out[ORIEL_JAVA_TEXT_BYTES]) {
    const struct oriel_type *type = &column->type;
    if (type->id == ORIEL_TYPE_TIME)
        return (size_t)(print_clock(out, ((const int32_t *)column->values)[row], 0, false) - out);
    int64_t ms;
    int32_t nanos = 0;
    if (oriel_type_physical(type) == ORIEL_PHYSICAL_I64) {
        ms = ((const int64_t *)column->values)[row];
    } else {
        const oriel_i128 value = ((const oriel_i128 *)column->values)[row];
        const oriel_i128 floor = value >= 0 ? value / 1000000 : -((999999 - value) / 1000000);
        ms = (int64_t)floor;
        nanos = (int32_t)(value - floor * 1000000);
    }
    const int64_t day = oriel_floor_div(ms, ORIEL_MS_PER_DAY);
    const bool is_instant = type->id == ORIEL_TYPE_TIMESTAMP_LTZ;
    char date[ORIEL_TIMESTAMP_TEXT_BYTES];
    char *end = append(out, date, oriel_date_print((int32_t)day, date));
    *end++ = 'T';
    end = print_clock(end, (int32_t)(ms - day * ORIEL_MS_PER_DAY), nanos, is_instant);
    if (is_instant)
        *end++ = 'Z';
    return (size_t)(end - out);
}
