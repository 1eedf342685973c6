/*
 * Numbers from text as Java takes them. The grammar is checked here; hexadecimal numbers are
 * rounded here too, short decimals are converted exactly with one multiplication or division, and
 * all other decimals by the C library in its "C" locale, from a copy of bounded length.
 */
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/number_text.h"

enum {
    DIGITS_KEPT = 780, /* 768 decide every double; one more stands for all that follow */
    COPY_BYTES = DIGITS_KEPT + 48,
    EXPONENT_LIMIT = 100000,
    EXACT_POWER_MAX = 22,
    LEADING_DECIMAL = 19,
    LEADING_HEXADECIMAL = 16,
};

/* A number whose form has been checked. */
struct number {
    bool negative;
    bool hexadecimal;
    const char *digits; /* the first that counts, with the point perhaps among them */
    size_t digit_count;
    uint64_t leading; /* value of the first 19 decimal or 16 hexadecimal digits */
    bool more;        /* some digit after these is not 0 */
    int64_t exponent; /* of the last digit, in powers of ten or two */
};

static int digit_value(char c, bool hexadecimal) {
    if (c >= '0' && c <= '9')
        return c - '0';
    const char lower = (char)(c | 0x20);
    return hexadecimal && lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* [+-]digits, cut at a bound that no other part of a text can outweigh. */
static const char *read_exponent(const char *text, const char *end, int64_t *out) {
    bool negative = false;
    if (text < end && (*text == '+' || *text == '-'))
        negative = *text++ == '-';
    const char *first = text;
    int64_t value = 0;
    for (; text < end && *text >= '0' && *text <= '9'; text++) {
        if (value < INT64_C(1) << 50)
            value = value * 10 + (*text - '0');
    }
    *out = negative ? -value : value;
    return text > first ? text : NULL;
}

static const char *read_digits(const char *text, const char *end, struct number *out) {
    const bool hexadecimal = out->hexadecimal;
    const int step = hexadecimal ? 4 : 1;
    const uint64_t base = hexadecimal ? 16 : 10;
    bool point = false, any = false;
    for (; text < end; text++) {
        const int digit = digit_value(*text, hexadecimal);
        if (digit >= 0) {
            any = true;
            out->exponent -= point ? step : 0;
            if (!out->digits && digit)
                out->digits = text;
            if (!out->digits)
                continue;
            if (out->digit_count++ < (hexadecimal ? LEADING_HEXADECIMAL : LEADING_DECIMAL))
                out->leading = out->leading * base + (uint64_t)digit;
            else
                out->more |= digit != 0;
        } else if (*text == '.' && !point) {
            point = true;
        } else {
            break;
        }
    }
    return any ? text : NULL;
}

static bool read_number(const char *text, const char *end, struct number *out) {
    if (end - text > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        out->hexadecimal = true;
        text += 2;
    }
    text = read_digits(text, end, out);
    if (!text)
        return false;
    const char mark = out->hexadecimal ? 'p' : 'e';
    int64_t exponent = 0;
    if (text < end && (*text | 0x20) == mark) {
        text = read_exponent(text + 1, end, &exponent);
        if (!text)
            return false;
    } else if (out->hexadecimal) {
        return false;
    }
    out->exponent += exponent;
    if (text < end && ((*text | 0x20) == 'd' || (*text | 0x20) == 'f'))
        text++;
    return text == end;
}

static int64_t bounded_exponent(int64_t exponent) {
    if (exponent > EXPONENT_LIMIT)
        return EXPONENT_LIMIT;
    return exponent < -EXPONENT_LIMIT ? -EXPONENT_LIMIT : exponent;
}

/* Writes the number for strtod: digits without a point, then the exponent. */
static void write_copy(const struct number *number, char copy[COPY_BYTES]) {
    char *out = copy;
    size_t count = 0;
    bool rest = false;
    const char *text = number->digits;
    for (size_t i = 0; i < number->digit_count; text++) {
        if (*text == '.')
            continue;
        i++;
        if (count < DIGITS_KEPT) {
            *out++ = *text;
            count++;
        } else {
            rest |= *text != '0';
        }
    }
    int64_t exponent = number->exponent + (int64_t)(number->digit_count - count);
    if (rest) {
        *out++ = '1';
        exponent--;
    }
    *out++ = 'e';
    out += oriel_integer_print(bounded_exponent(exponent), out);
    *out = '\0';
}

/* Rounds a hexadecimal number to `precision_bits`, half to even, and not finer than 2^low: the
 * result is *out * 2^(the returned exponent). */
static int round_hexadecimal(const struct number *number, int precision_bits, int low,
                             uint64_t *out) {
    int64_t exponent = number->exponent;
    if (number->digit_count > LEADING_HEXADECIMAL)
        exponent += 4 * (int64_t)(number->digit_count - LEADING_HEXADECIMAL);
    exponent = bounded_exponent(exponent);
    int64_t unit = exponent + (64 - __builtin_clzll(number->leading)) - precision_bits;
    if (unit < low)
        unit = low;
    const int64_t shift = unit - exponent;
    if (shift <= 0) {
        *out = number->leading;
        return (int)exponent;
    }
    if (shift > 64) {
        *out = 0;
        return low;
    }
    const uint64_t half = UINT64_C(1) << (shift - 1);
    const uint64_t rest = number->leading & (half | (half - 1));
    const uint64_t whole = shift == 64 ? 0 : number->leading >> shift;
    *out = whole + (rest > half || (rest == half && (number->more || whole % 2)));
    return (int)unit;
}

/* Clinger's fast path: both operands are exact, so the one operation rounds right. */
static bool convert_exactly(const struct number *number, double *out) {
    static const double tens[EXACT_POWER_MAX + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (number->digit_count > LEADING_DECIMAL || number->leading > UINT64_C(1) << 53 ||
        number->exponent > EXACT_POWER_MAX || number->exponent < -EXACT_POWER_MAX)
        return false;
    const double whole = (double)number->leading;
    *out = number->exponent < 0 ? whole / tens[-number->exponent] : whole * tens[number->exponent];
    return true;
}

/* The same for a float: 24 bits, ten to the tenth. */
static bool convert_float_exactly(const struct number *number, float *out) {
    static const float tens[] = {1e0F, 1e1F, 1e2F, 1e3F, 1e4F, 1e5F, 1e6F, 1e7F, 1e8F, 1e9F, 1e10F};
    if (number->digit_count > LEADING_DECIMAL || number->leading > UINT64_C(1) << 24 ||
        number->exponent > 10 || number->exponent < -10)
        return false;
    const float whole = (float)number->leading;
    *out = number->exponent < 0 ? whole / tens[-number->exponent] : whole * tens[number->exponent];
    return true;
}

/* glibc gives its constant object for "C": nothing is allocated. */
static locale_t c_locale(void) {
    return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

enum form { FORM_BAD, FORM_NAN, FORM_INFINITY, FORM_NUMBER };

static enum form read_form(const char *text, size_t length, struct number *out) {
    const char *end = text + length;
    *out = (struct number){.digits = NULL};
    while (text < end && (unsigned char)*text <= ' ')
        text++;
    while (text < end && (unsigned char)end[-1] <= ' ')
        end--;
    if (text < end && (*text == '+' || *text == '-'))
        out->negative = *text++ == '-';
    const size_t left = (size_t)(end - text);
    if (left == 3 && memcmp(text, "NaN", 3) == 0)
        return FORM_NAN;
    if (left == 8 && memcmp(text, "Infinity", 8) == 0)
        return FORM_INFINITY;
    return read_number(text, end, out) ? FORM_NUMBER : FORM_BAD;
}

bool oriel_double_parse(const char *text, size_t length, double *out) {
    struct number number;
    const enum form form = read_form(text, length, &number);
    double value = 0;
    if (form == FORM_BAD)
        return false;
    if (form == FORM_NAN) {
        *out = (double)NAN;
        return true;
    }
    if (form == FORM_INFINITY) {
        value = (double)INFINITY;
    } else if (number.digit_count && number.hexadecimal) {
        uint64_t whole;
        const int exponent = round_hexadecimal(&number, 53, -1074, &whole);
        value = ldexp((double)whole, exponent);
    } else if (number.digit_count && !convert_exactly(&number, &value)) {
        char copy[COPY_BYTES];
        write_copy(&number, copy);
        const locale_t locale = c_locale();
        value = strtod_l(copy, NULL, locale);
        freelocale(locale);
    }
    *out = number.negative ? -value : value;
    return true;
}

bool oriel_float_parse(const char *text, size_t length, float *out) {
    struct number number;
    const enum form form = read_form(text, length, &number);
    float value = 0;
    if (form == FORM_BAD)
        return false;
    if (form == FORM_NAN) {
        *out = NAN;
        return true;
    }
    if (form == FORM_INFINITY) {
        value = INFINITY;
    } else if (number.digit_count && number.hexadecimal) {
        uint64_t whole;
        const int exponent = round_hexadecimal(&number, 24, -149, &whole);
        value = ldexpf((float)whole, exponent);
    } else if (number.digit_count && !convert_float_exactly(&number, &value)) {
        char copy[COPY_BYTES];
        write_copy(&number, copy);
        const locale_t locale = c_locale();
        value = strtof_l(copy, NULL, locale);
        freelocale(locale);
    }
    *out = number.negative ? -value : value;
    return true;
}

enum oriel_integer_result oriel_integer_parse(const char *text, size_t length, int64_t low,
                                              int64_t high, int64_t *out) {
    size_t i = 0;
    const bool negative = length && text[0] == '-';
    if (length && (text[0] == '+' || text[0] == '-'))
        i++;
    if (i == length)
        return ORIEL_INTEGER_BAD;
    uint64_t value = 0;
    bool overflow = false;
    for (; i < length; i++) {
        const int digit = digit_value(text[i], false);
        if (digit < 0)
            return ORIEL_INTEGER_BAD;
        overflow |= __builtin_mul_overflow(value, UINT64_C(10), &value) ||
                    __builtin_add_overflow(value, (uint64_t)digit, &value);
    }
    if (overflow || value > (negative ? UINT64_C(1) << 63 : (UINT64_C(1) << 63) - 1))
        return ORIEL_INTEGER_RANGE;
    const int64_t result = negative ? (int64_t)(UINT64_C(0) - value) : (int64_t)value;
    if (result < low || result > high)
        return ORIEL_INTEGER_RANGE;
    *out = result;
    return ORIEL_INTEGER_OK;
}
