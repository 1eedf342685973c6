/*
 * Numbers as text: integers, and floating point numbers in Java's two forms, plain from 10^-3 up to
 * 10^7 and with an exponent elsewhere.
 */
#include "engine/base/number_text.h"

#include <string.h>

#include "engine/base/number_digits.h"

static const char two_digits[] = "00010203040506070809101112131415161718192021222324"
                                 "25262728293031323334353637383940414243444546474849"
                                 "50515253545556575859606162636465666768697071727374"
                                 "75767778798081828384858687888990919293949596979899";

size_t oriel_integer_print(int64_t value, char out[ORIEL_NUMBER_TEXT_BYTES]) {
    char text[ORIEL_NUMBER_TEXT_BYTES];
    char *const end = text + sizeof text;
    char *start = end;
    uint64_t rest = value < 0 ? UINT64_C(0) - (uint64_t)value : (uint64_t)value;
    while (rest >= 100) {
        start -= 2;
        memcpy(start, two_digits + 2 * (rest % 100), 2);
        rest /= 100;
    }
    if (rest >= 10) {
        start -= 2;
        memcpy(start, two_digits + 2 * rest, 2);
    } else {
        *--start = (char)('0' + rest);
    }
    if (value < 0)
        *--start = '-';
    memcpy(out, start, (size_t)(end - start));
    return (size_t)(end - start);
}

static char *write_text(char *out, const char *text) {
    const size_t length = strlen(text);
    memcpy(out, text, length);
    return out + length;
}

/* Digits [from, to), zeros past the last one. */
static char *write_digits(char *out, const struct oriel_digits *digits, int from, int to) {
    for (int i = from; i < to; i++)
        *out++ = (char)('0' + (i < digits->count ? digits->digits[i] : 0));
    return out;
}

static char *write_plain(char *out, const struct oriel_digits *digits) {
    const int point = digits->exponent;
    if (point > 0) {
        out = write_digits(out, digits, 0, point);
        *out++ = '.';
        return write_digits(out, digits, point, digits->count > point ? digits->count : point + 1);
    }
    out = write_text(out, "0.");
    for (int i = point; i < 0; i++)
        *out++ = '0';
    return write_digits(out, digits, 0, digits->count);
}

static char *write_scientific(char *out, const struct oriel_digits *digits) {
    out = write_digits(out, digits, 0, 1);
    *out++ = '.';
    out = write_digits(out, digits, 1, digits->count > 1 ? digits->count : 2);
    *out++ = 'E';
    return out + oriel_integer_print(digits->exponent - 1, out);
}

/* A number taken apart: field bits as they stand, and what its format says of them. */
static size_t print(uint64_t fraction, int biased_exponent, bool negative, int fraction_bits,
                    int exponent_bits, char out[ORIEL_NUMBER_TEXT_BYTES]) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    char text[2 * ORIEL_NUMBER_TEXT_BYTES];
    char *end = text;
    if (biased_exponent == 2 * bias + 1 && fraction) {
        end = write_text(text, "NaN");
        memcpy(out, text, (size_t)(end - text));
        return (size_t)(end - text);
    }
    if (negative)
        *end++ = '-';
    if (biased_exponent == 2 * bias + 1) {
        end = write_text(end, "Infinity");
    } else if (biased_exponent == 0 && fraction == 0) {
        end = write_text(end, "0.0");
    } else {
        int precision_bits = fraction_bits + 1;
        if (biased_exponent == 0) {
            precision_bits = 64 - __builtin_clzll(fraction);
            biased_exponent = precision_bits - fraction_bits;
            fraction <<= fraction_bits + 1 - precision_bits;
        } else {
            fraction |= UINT64_C(1) << fraction_bits;
        }
        struct oriel_digits digits;
        oriel_digits_choose(fraction << (52 - fraction_bits), biased_exponent - bias,
                            precision_bits, &digits);
        end = digits.exponent > -3 && digits.exponent < 8 ? write_plain(end, &digits)
                                                          : write_scientific(end, &digits);
    }
    memcpy(out, text, (size_t)(end - text));
    return (size_t)(end - text);
}

size_t oriel_double_print(double value, char out[ORIEL_NUMBER_TEXT_BYTES]) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return print(bits & ((UINT64_C(1) << 52) - 1), (int)(bits >> 52 & 0x7FF), bits >> 63, 52, 11,
                 out);
}

size_t oriel_float_print(float value, char out[ORIEL_NUMBER_TEXT_BYTES]) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return print(bits & ((UINT32_C(1) << 23) - 1), (int)(bits >> 23 & 0xFF), bits >> 31, 23, 8,
                 out);
}
