/*
 * Natural numbers in base 2^32: schoolbook arithmetic, and division bit by bit, as many as a double
 * holds.
 */
#include "engine/functions/wide_number.h"

#include <math.h>
#include <string.h>

enum { DIGIT_BITS = 32, QUOTIENT_BITS = 55 }; /* two more than a double has, for rounding */

void oriel_wide_add(struct oriel_wide *number, const uint32_t *digits, size_t digit_count,
                    uint32_t factor, unsigned shift) {
    const uint64_t scaled = (uint64_t)factor << (shift % DIGIT_BITS);
    unsigned __int128 carry = 0;
    size_t at = shift / DIGIT_BITS;
    for (size_t i = 0; at < ORIEL_WIDE_DIGITS && (i < digit_count || carry); i++, at++) {
        carry += number->digits[at];
        if (i < digit_count)
            carry += (unsigned __int128)digits[i] * scaled;
        number->digits[at] = (uint32_t)carry;
        carry >>= DIGIT_BITS;
    }
}

void oriel_wide_subtract(struct oriel_wide *number, const uint32_t *digits, size_t digit_count,
                         uint32_t factor, unsigned shift) {
    const uint64_t scaled = (uint64_t)factor << (shift % DIGIT_BITS);
    unsigned __int128 carry = 0; /* what is still to be subtracted from here on */
    size_t at = shift / DIGIT_BITS;
    for (size_t i = 0; at < ORIEL_WIDE_DIGITS && (i < digit_count || carry); i++, at++) {
        if (i < digit_count)
            carry += (unsigned __int128)digits[i] * scaled;
        const uint32_t low = (uint32_t)carry;
        const bool borrows = number->digits[at] < low;
        number->digits[at] -= low;
        carry = (carry >> DIGIT_BITS) + borrows;
    }
}

static int bit_length(const struct oriel_wide *number) {
    for (int i = ORIEL_WIDE_DIGITS - 1; i >= 0; i--) {
        if (number->digits[i])
            return i * DIGIT_BITS + DIGIT_BITS - __builtin_clz(number->digits[i]);
    }
    return 0;
}

static void shift_left(struct oriel_wide *number, int bits, size_t digit_count) {
    const size_t whole = (size_t)bits / DIGIT_BITS;
    const unsigned part = (unsigned)bits % DIGIT_BITS;
    for (size_t i = digit_count; i-- > 0;) {
        uint64_t pair = i >= whole ? (uint64_t)number->digits[i - whole] << DIGIT_BITS : 0;
        if (i > whole)
            pair |= number->digits[i - whole - 1];
        number->digits[i] = (uint32_t)(pair >> (DIGIT_BITS - part));
    }
}

static bool at_least(const struct oriel_wide *a, const struct oriel_wide *b, size_t digit_count) {
    for (size_t i = digit_count; i-- > 0;) {
        if (a->digits[i] != b->digits[i])
            return a->digits[i] > b->digits[i];
    }
    return true;
}

double oriel_wide_ratio(struct oriel_wide *numerator, struct oriel_wide *denominator,
                        int exponent) {
    const int above = bit_length(numerator), below = bit_length(denominator);
    if (!above)
        return 0.0;
    /* Brought to the same length, the quotient lies in (1/2, 2). */
    const int length = above > below ? above : below;
    const size_t digit_count = (size_t)length / DIGIT_BITS + 1;
    shift_left(numerator, length - above, digit_count);
    shift_left(denominator, length - below, digit_count);
    exponent += above - below;
    uint64_t quotient = 0;
    for (int i = 0; i < QUOTIENT_BITS; i++) {
        quotient <<= 1;
        if (at_least(numerator, denominator, digit_count)) {
            oriel_wide_subtract(numerator, denominator->digits, digit_count, 1, 0);
            quotient |= 1;
        }
        shift_left(numerator, 1, digit_count);
    }
    static const struct oriel_wide nothing;
    const bool inexact = memcmp(numerator, &nothing, sizeof nothing) != 0;
    /* A last bit that stands for all that is left makes the conversion round as it must. */
    const double rounded = (double)(quotient << 1 | inexact);
    return ldexp(rounded, exponent - QUOTIENT_BITS);
}
