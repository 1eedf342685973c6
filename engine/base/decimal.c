/*
 * Decimal arithmetic on magnitudes: signs are split off first, products and shifted dividends are
 * held in 256 bits, and every result is rounded exactly once, half away from zero.
 */
#include "engine/base/decimal.h"

#include <math.h>

#include "engine/base/number_text.h"

typedef unsigned __int128 wide; /* a magnitude that fits two limbs */

struct quad { /* 256 bits, lowest limb first */
    uint64_t limb[4];
};

enum { POWER_MAX = 38 };

#define TEN_19 ((wide)UINT64_C(10000000000000000000))

static const wide powers[POWER_MAX + 1] = {
    1,
    10,
    100,
    1000,
    10000,
    100000,
    1000000,
    10000000,
    100000000,
    1000000000,
    UINT64_C(10000000000),
    UINT64_C(100000000000),
    UINT64_C(1000000000000),
    UINT64_C(10000000000000),
    UINT64_C(100000000000000),
    UINT64_C(1000000000000000),
    UINT64_C(10000000000000000),
    UINT64_C(100000000000000000),
    UINT64_C(1000000000000000000),
    TEN_19,
    TEN_19 * 10,
    TEN_19 * 100,
    TEN_19 * 1000,
    TEN_19 * 10000,
    TEN_19 * 100000,
    TEN_19 * 1000000,
    TEN_19 * 10000000,
    TEN_19 * 100000000,
    TEN_19 * 1000000000,
    TEN_19 *UINT64_C(10000000000),
    TEN_19 *UINT64_C(100000000000),
    TEN_19 *UINT64_C(1000000000000),
    TEN_19 *UINT64_C(10000000000000),
    TEN_19 *UINT64_C(100000000000000),
    TEN_19 *UINT64_C(1000000000000000),
    TEN_19 *UINT64_C(10000000000000000),
    TEN_19 *UINT64_C(100000000000000000),
    TEN_19 *UINT64_C(1000000000000000000),
    TEN_19 *TEN_19,
};

__int128 oriel_decimal_power(unsigned exponent) {
    return (__int128)powers[exponent];
}

static wide magnitude(__int128 value) {
    return value < 0 ? (wide)0 - (wide)value : (wide)value;
}

/* Gives the sign back, after the check against `precision`. */
static bool finish(wide result, bool negative, unsigned precision, __int128 *out) {
    if (result >= powers[precision])
        return false;
    *out = negative ? -(__int128)result : (__int128)result;
    return true;
}

static struct quad quad_multiply(wide a, wide b) {
    const uint64_t a0 = (uint64_t)a, a1 = (uint64_t)(a >> 64);
    const uint64_t b0 = (uint64_t)b, b1 = (uint64_t)(b >> 64);
    const wide low = (wide)a0 * b0;
    const wide middle = (wide)a1 * b0 + (uint64_t)(low >> 64);
    const wide other = (wide)a0 * b1 + (uint64_t)middle;
    const wide high = (wide)a1 * b1 + (uint64_t)(middle >> 64) + (uint64_t)(other >> 64);
    return (struct quad){{(uint64_t)low, (uint64_t)other, (uint64_t)high, (uint64_t)(high >> 64)}};
}

/* One step of long division: (remainder, next) / divisor, whose top bit is set and which is larger
 * than `*remainder`. Knuth's algorithm D for two limbs. */
static uint64_t divide_step(wide *remainder, uint64_t next, wide divisor) {
    const uint64_t d1 = (uint64_t)(divisor >> 64), d0 = (uint64_t)divisor;
    const uint64_t r1 = (uint64_t)(*remainder >> 64), r0 = (uint64_t)*remainder;
    wide digit, rest;
    if (r1 >= d1) {
        digit = UINT64_MAX;
        rest = (wide)r0 + d1;
    } else {
        digit = *remainder / d1;
        rest = *remainder % d1;
    }
    while (rest <= UINT64_MAX && digit * d0 > ((rest << 64) | next)) {
        digit--;
        rest += d1;
    }
    *remainder = (((wide)r0 << 64) | next) - digit * divisor;
    return (uint64_t)digit;
}

/* value / divisor; returns the quotient and leaves the remainder. */
static struct quad quad_divide(struct quad value, wide divisor, wide *remainder) {
    struct quad quotient = {{0, 0, 0, 0}};
    if (!(value.limb[3] | value.limb[2])) {
        const wide low = ((wide)value.limb[1] << 64) | value.limb[0];
        const wide result = low / divisor;
        *remainder = low % divisor;
        quotient.limb[0] = (uint64_t)result;
        quotient.limb[1] = (uint64_t)(result >> 64);
        return quotient;
    }
    if (!(divisor >> 64)) {
        uint64_t rest = 0;
        for (int i = 3; i >= 0; i--) {
            const wide part = ((wide)rest << 64) | value.limb[i];
            quotient.limb[i] = (uint64_t)(part / divisor);
            rest = (uint64_t)(part % divisor);
        }
        *remainder = rest;
        return quotient;
    }
    const int shift = __builtin_clzll((uint64_t)(divisor >> 64));
    const wide normal = divisor << shift;
    wide rest = shift ? value.limb[3] >> (64 - shift) : 0;
    for (int i = 3; i >= 0; i--) {
        const uint64_t below = i && shift ? value.limb[i - 1] >> (64 - shift) : 0;
        quotient.limb[i] = divide_step(&rest, (value.limb[i] << shift) | below, normal);
    }
    *remainder = rest >> shift;
    return quotient;
}

static bool quad_is_wide(struct quad value) {
    return !(value.limb[3] | value.limb[2]);
}

static wide quad_low(struct quad value) {
    return ((wide)value.limb[1] << 64) | value.limb[0];
}

/* value / divisor, rounded; false when two limbs cannot hold it. */
static bool divide_rounded(struct quad value, wide divisor, wide *out) {
    wide remainder;
    const struct quad quotient = quad_divide(value, divisor, &remainder);
    if (!quad_is_wide(quotient))
        return false;
    const wide low = quad_low(quotient);
    if (remainder >= divisor - remainder) {
        *out = low + 1;
        return *out != 0;
    }
    *out = low;
    return true;
}

/* value / 10^digits, rounded. Where it takes two divisions the first one may cut: the half that
 * decides is a multiple of its divisor. */
static bool drop_digits(struct quad value, unsigned digits, wide *out) {
    while (digits > POWER_MAX) {
        wide remainder;
        value = quad_divide(value, powers[POWER_MAX], &remainder);
        digits -= POWER_MAX;
    }
    if (digits)
        return divide_rounded(value, powers[digits], out);
    *out = quad_low(value);
    return quad_is_wide(value);
}

/* value * 10^digits; false when it needs more than 38 digits. */
static bool add_digits(wide value, unsigned digits, wide *out) {
    if (value == 0) {
        *out = 0;
        return true;
    }
    if (digits > POWER_MAX)
        return false;
    const struct quad product = quad_multiply(value, powers[digits]);
    *out = quad_low(product);
    return quad_is_wide(product);
}

bool oriel_decimal_rescale(__int128 value, unsigned from_scale, unsigned to_scale,
                           unsigned precision, __int128 *out) {
    wide result = magnitude(value);
    if (to_scale >= from_scale) {
        if (!add_digits(result, to_scale - from_scale, &result))
            return false;
    } else {
        const struct quad whole = {{(uint64_t)result, (uint64_t)(result >> 64), 0, 0}};
        if (!drop_digits(whole, from_scale - to_scale, &result))
            return false;
    }
    return finish(result, value < 0, precision, out);
}

bool oriel_decimal_multiply(__int128 a, __int128 b, unsigned from_scale, unsigned to_scale,
                            unsigned precision, __int128 *out) {
    const struct quad product = quad_multiply(magnitude(a), magnitude(b));
    wide result;
    if (to_scale < from_scale) {
        if (!drop_digits(product, from_scale - to_scale, &result))
            return false;
    } else if (!quad_is_wide(product) ||
               !add_digits(quad_low(product), to_scale - from_scale, &result)) {
        return false;
    }
    return finish(result, (a < 0) != (b < 0), precision, out);
}

/* a * 10^shift / b for shift over 38: digit groups of the quotient, one at a time. */
static bool divide_long(wide a, wide b, unsigned shift, wide *out) {
    wide quotient = a / b, remainder = a % b;
    while (shift > 0) {
        const unsigned digits = shift > POWER_MAX ? POWER_MAX : shift;
        shift -= digits;
        if (!add_digits(quotient, digits, &quotient))
            return false;
        const struct quad dividend = quad_multiply(remainder, powers[digits]);
        wide group;
        if (shift == 0) {
            if (!divide_rounded(dividend, b, &group))
                return false;
        } else {
            group = quad_low(quad_divide(dividend, b, &remainder));
        }
        if (__builtin_add_overflow(quotient, group, &quotient))
            return false;
    }
    *out = quotient;
    return true;
}

bool oriel_decimal_divide(__int128 a, __int128 b, int shift, unsigned precision, __int128 *out) {
    const wide dividend = magnitude(a), divisor = magnitude(b);
    wide result;
    if (shift > POWER_MAX) {
        if (!divide_long(dividend, divisor, (unsigned)shift, &result))
            return false;
    } else if (shift >= 0) {
        if (!divide_rounded(quad_multiply(dividend, powers[shift]), divisor, &result))
            return false;
    } else {
        /* Cutting first is exact for the same reason as in drop_digits. */
        result = dividend / divisor;
        const struct quad whole = {{(uint64_t)result, (uint64_t)(result >> 64), 0, 0}};
        if (!drop_digits(whole, (unsigned)-shift, &result))
            return false;
    }
    return finish(result, (a < 0) != (b < 0), precision, out);
}

double oriel_decimal_to_double(__int128 value, unsigned scale) {
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const wide whole = magnitude(value);
    if (whole < (wide)1 << 53 && scale < sizeof tens / sizeof *tens) {
        const double exact = (double)(uint64_t)whole / tens[scale];
        return value < 0 ? -exact : exact;
    }
    char text[ORIEL_DECIMAL_TEXT_BYTES];
    double out = 0;
    const size_t length = oriel_decimal_print(value, scale, text);
    oriel_double_parse(text, length, &out);
    return out;
}

bool oriel_decimal_from_double(double value, unsigned precision, unsigned scale, __int128 *out) {
    char text[ORIEL_NUMBER_TEXT_BYTES];
    if (!isfinite(value))
        return false;
    const size_t length = oriel_double_print(value, text);
    return oriel_decimal_parse(text, length, precision, scale, out) == 0;
}
