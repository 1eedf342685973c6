/*
 * Decimals as text: plain digits out, digits with an exponent in.
 */
#include <string.h>

#include "engine/base/decimal.h"

typedef unsigned __int128 wide;

enum { EXPONENT_MAX = 1000000000, DIGITS_MAX = 38, GROUP_DIGITS = 19 };

/* What the text says before its digits are read: D digits that count, times 10^exponent. */
struct outline {
    const char *digits; /* the first digit that is not 0; the point may come in between */
    size_t digit_count;
    int64_t exponent;
    bool negative;
};

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* The number behind e or E; false when there is none. */
static bool read_exponent(const char *text, const char *end, int64_t *out) {
    bool negative = false;
    if (text < end && (*text == '+' || *text == '-'))
        negative = *text++ == '-';
    if (text == end)
        return false;
    int64_t value = 0;
    for (; text < end; text++) {
        if (!is_digit(*text))
            return false;
        if (value < EXPONENT_MAX)
            value = value * 10 + (*text - '0');
    }
    *out = negative ? -value : value;
    return true;
}

static bool read_outline(const char *text, size_t length, struct outline *out) {
    const char *end = text + length;
    bool point = false, any = false;
    int64_t fraction = 0;
    *out = (struct outline){.digits = NULL};
    if (text < end && (*text == '+' || *text == '-'))
        out->negative = *text++ == '-';
    for (; text < end; text++) {
        if (is_digit(*text)) {
            any = true;
            fraction += point;
            if (!out->digits && *text != '0')
                out->digits = text;
            out->digit_count += out->digits != NULL;
        } else if (*text == '.' && !point) {
            point = true;
        } else {
            break;
        }
    }
    if (!any)
        return false;
    if (text < end && (*text == 'e' || *text == 'E')) {
        if (!read_exponent(text + 1, end, &out->exponent))
            return false;
    } else if (text < end) {
        return false;
    }
    out->exponent -= fraction;
    return true;
}

int oriel_decimal_parse(const char *text, size_t length, unsigned precision, unsigned scale,
                        __int128 *out) {
    struct outline outline;
    if (!read_outline(text, length, &outline))
        return 1;
    const int64_t shift = outline.exponent + (int64_t)scale;
    const int64_t keep = (int64_t)outline.digit_count + shift; /* digits of the result */
    if (!outline.digit_count || keep < 0) {
        *out = 0;
        return 0;
    }
    if (keep > DIGITS_MAX)
        return 2;
    const size_t used = shift < 0 ? (size_t)keep : outline.digit_count;
    const char *digit = outline.digits;
    wide value = 0;
    for (size_t i = 0; i < used; digit++) {
        if (*digit == '.')
            continue;
        value = 10 * value + (unsigned)(*digit - '0');
        i++;
    }
    if (shift > 0) {
        value *= (wide)oriel_decimal_power((unsigned)shift);
    } else if (shift < 0) {
        if (*digit == '.')
            digit++;
        value += *digit >= '5';
    }
    if (value >= (wide)oriel_decimal_power(precision))
        return 2;
    *out = outline.negative ? -(__int128)value : (__int128)value;
    return 0;
}

/* Writes at least `width` digits that end before `end`; returns the first. */
static char *write_digits(uint64_t value, unsigned width, char *end) {
    char *start = end;
    while (value || (size_t)(end - start) < width) {
        *--start = (char)('0' + value % 10);
        value /= 10;
    }
    return start;
}

size_t oriel_decimal_print(__int128 value, unsigned scale, char out[ORIEL_DECIMAL_TEXT_BYTES]) {
    char digits[ORIEL_DECIMAL_TEXT_BYTES];
    char *const end = digits + sizeof digits;
    char *start = end;
    const wide group = (wide)UINT64_C(10000000000000000000);
    wide rest = value < 0 ? (wide)0 - (wide)value : (wide)value;
    while (rest >= group) {
        start = write_digits((uint64_t)(rest % group), GROUP_DIGITS, start);
        rest /= group;
    }
    start = write_digits((uint64_t)rest, 0, start);
    while ((size_t)(end - start) < (size_t)scale + 1)
        *--start = '0';
    size_t length = 0;
    const size_t whole = (size_t)(end - start) - scale;
    if (value < 0)
        out[length++] = '-';
    memcpy(out + length, start, whole);
    length += whole;
    if (scale) {
        out[length++] = '.';
        memcpy(out + length, start + whole, scale);
        length += scale;
    }
    return length;
}
