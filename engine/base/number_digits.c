/*
 * Digit generation with the outcomes of Java 17 (before the shortest-form rewrite of JDK 19).
 *
 * The value is kept as B / S * 10^e with 1 <= B / S < 10 and half the distance to its neighbours as
 * M / S. Digits are B div S, then B = 10 * (B mod S), until what is left is within M of a digit's
 * edge (Steele and White, Dragon4). Java estimates e, takes the neighbours as symmetric, wants two
 * digits where an exponent follows, and uses machine words where they seem wide enough; its results
 * depend on all of these, so they are repeated here.
 */
#include "engine/base/number_digits.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
    FRACTION_BITS = 52, /* below the highest bit */
    LIMB_COUNT = 44,    /* 1408 bits: 5^325 * 2^(53 + 64), or 2^1075 * 10 */
    SMALL_INTEGER_BITS = 62,
    FIVES_KNOWN = 27, /* powers of 5 that fit 63 bits */
};

struct bignum {
    int count; /* limbs in use, the highest is not 0 */
    uint32_t limb[LIMB_COUNT];
};

/* Powers of the factors 2 and 5 in B, S and M. */
struct scale {
    int b2, b5, s2, s5, m2, m5;
};

/* How the digits end. */
struct ending {
    bool low;      /* the rest is below M: the digits so far are near enough */
    bool high;     /* 10 - rest is below M: so is the next digit up */
    int past_half; /* sign of rest - 1/2, when both */
};

static uint64_t power_of_five(int exponent) {
    uint64_t value = 1;
    while (exponent-- > 0)
        value *= 5;
    return value;
}

/* Bits that a factor 5^exponent adds: exact up to 5^26, an upper bound above. */
static int bits_of_five(int exponent) {
    if (exponent == 0)
        return 0;
    if (exponent < FIVES_KNOWN)
        return 64 - __builtin_clzll(power_of_five(exponent));
    return 3 * exponent;
}

static void bignum_multiply_small(struct bignum *value, uint32_t factor) {
    uint64_t carry = 0;
    for (int i = 0; i < value->count; i++) {
        carry += (uint64_t)value->limb[i] * factor;
        value->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        value->limb[value->count++] = (uint32_t)carry;
}

/* fraction * 5^fives * 2^twos */
static void bignum_set(struct bignum *value, uint64_t fraction, int fives, int twos) {
    const uint32_t five_13 = 1220703125;
    const int skipped = twos / 32, shift = twos % 32;
    struct bignum product = {.count = 0};
    for (; fraction; fraction >>= 32)
        product.limb[product.count++] = (uint32_t)fraction;
    for (; fives >= 13; fives -= 13)
        bignum_multiply_small(&product, five_13);
    bignum_multiply_small(&product, (uint32_t)power_of_five(fives));
    if (shift)
        bignum_multiply_small(&product, UINT32_C(1) << shift);
    memset(value->limb, 0, (size_t)skipped * sizeof *value->limb);
    memcpy(value->limb + skipped, product.limb, (size_t)product.count * sizeof *value->limb);
    value->count = product.count ? skipped + product.count : 0;
}

static int bignum_compare(const struct bignum *a, const struct bignum *b) {
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (int i = a->count - 1; i >= 0; i--) {
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    }
    return 0;
}

/* Sign of a + b - c. */
static int bignum_compare_sum(const struct bignum *a, const struct bignum *b,
                              const struct bignum *c) {
    struct bignum sum = {.count = a->count > b->count ? a->count : b->count};
    uint64_t carry = 0;
    for (int i = 0; i < sum.count; i++) {
        carry += (uint64_t)(i < a->count ? a->limb[i] : 0) + (i < b->count ? b->limb[i] : 0);
        sum.limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        sum.limb[sum.count++] = (uint32_t)carry;
    return bignum_compare(&sum, c);
}

/* value -= factor * other, which is not larger. */
static void bignum_subtract(struct bignum *value, const struct bignum *other, uint32_t factor) {
    uint64_t carry = 0;
    for (int i = 0; i < value->count; i++) {
        carry += (uint64_t)(i < other->count ? other->limb[i] : 0) * factor;
        const uint32_t part = (uint32_t)carry;
        carry >>= 32;
        carry += value->limb[i] < part;
        value->limb[i] -= part;
    }
    while (value->count && !value->limb[value->count - 1])
        value->count--;
}

/* B div S, a digit; B becomes 10 * (B mod S). The top limb of S has its top bit at 27, so B < 10 S
 * is no longer than S and the estimate is at most a little low. */
static int next_digit(struct bignum *b, const struct bignum *s) {
    uint32_t digit = 0;
    if (b->count == s->count) {
        digit = b->limb[b->count - 1] / (s->limb[s->count - 1] + 1);
        if (digit)
            bignum_subtract(b, s, digit);
    }
    while (bignum_compare(b, s) >= 0) {
        bignum_subtract(b, s, 1);
        digit++;
    }
    bignum_multiply_small(b, 10);
    return (int)digit;
}

static bool needs_exponent(int exponent) {
    return exponent < -3 || exponent >= 8;
}

static void choose_wide(uint64_t fraction, const struct scale *scale, int *exponent,
                        struct oriel_digits *out, struct ending *ending) {
    struct bignum b, s, m, tens;
    bignum_set(&s, 1, scale->s5, scale->s2);
    const int bias = (59 - (31 - __builtin_clz(s.limb[s.count - 1]))) % 32;
    bignum_set(&s, 1, scale->s5, scale->s2 + bias);
    bignum_set(&tens, 10, scale->s5, scale->s2 + bias);
    bignum_set(&b, fraction, scale->b5, scale->b2 + bias);
    bignum_set(&m, 10, scale->m5, scale->m2 + bias);
    int digit = next_digit(&b, &s);
    ending->low = bignum_compare(&b, &m) < 0;
    ending->high = bignum_compare_sum(&b, &m, &tens) >= 0;
    if (digit == 0 && !ending->high)
        --*exponent;
    else
        out->digits[out->count++] = (char)digit;
    if (needs_exponent(*exponent))
        ending->low = ending->high = false;
    while (!ending->low && !ending->high) {
        digit = next_digit(&b, &s);
        bignum_multiply_small(&m, 10);
        ending->low = bignum_compare(&b, &m) < 0;
        ending->high = bignum_compare_sum(&b, &m, &tens) >= 0;
        out->digits[out->count++] = (char)digit;
    }
    if (ending->low && ending->high)
        ending->past_half = bignum_compare_sum(&b, &b, &tens);
}

/* A machine word of `bits` bits, 32 or 64, with Java's wrap-around. */
static int64_t wrap(uint64_t value, int bits) {
    return bits == 32 ? (int64_t)(int32_t)(uint32_t)value : (int64_t)value;
}

static void choose_narrow(uint64_t fraction, const struct scale *scale, int bits, int *exponent,
                          struct oriel_digits *out, struct ending *ending) {
    int64_t b = wrap(fraction * power_of_five(scale->b5) << scale->b2, bits);
    const int64_t s = wrap(power_of_five(scale->s5) << scale->s2, bits);
    int64_t m = wrap(power_of_five(scale->m5) << scale->m2, bits);
    const int64_t tens = wrap((uint64_t)s * 10, bits);
    for (bool first = true; first || (!ending->low && !ending->high); first = false) {
        const int64_t digit = b / s;
        b = wrap((uint64_t)(b % s) * 10, bits);
        m = wrap((uint64_t)m * 10, bits);
        /* A wrapped M is above everything. Java looks for that only after the first digit. */
        const bool wrapped = !first && m <= 0;
        ending->low = wrapped || b < m;
        ending->high = wrapped || wrap((uint64_t)b + (uint64_t)m, bits) > tens;
        if (first && digit == 0 && !ending->high)
            --*exponent;
        else
            out->digits[out->count++] = (char)digit;
        if (first && needs_exponent(*exponent))
            ending->low = ending->high = false;
    }
    const int64_t past = wrap(((uint64_t)b << 1) - (uint64_t)tens, bits);
    ending->past_half = (past > 0) - (past < 0);
}

static void round_up(struct oriel_digits *out) {
    int i = out->count - 1;
    while (i >= 0 && out->digits[i] == 9)
        out->digits[i--] = 0;
    if (i >= 0) {
        out->digits[i]++;
    } else {
        out->digits[0] = 1;
        out->exponent++;
    }
}

/* Whole numbers below 2^63: all digits but those that the precision does not reach. */
static void choose_integer(uint64_t value, int spare_bits, struct oriel_digits *out) {
    const int cut = spare_bits > 1 ? (int)(spare_bits * 0.30102999566398120) : 0;
    int exponent = 0;
    if (cut) {
        uint64_t unit = 1;
        for (int i = 0; i < cut; i++)
            unit *= 10;
        const uint64_t rest = value % unit;
        value = value / unit + (rest >= unit / 2);
        exponent = cut;
    }
    for (; value % 10 == 0; value /= 10)
        exponent++;
    char reversed[ORIEL_DIGITS_MAX];
    for (; value; value /= 10)
        reversed[out->count++] = (char)(value % 10);
    for (int i = 0; i < out->count; i++)
        out->digits[i] = reversed[out->count - 1 - i];
    out->exponent = exponent + out->count;
}

/* A guess of floor(log10(value)), too large by one at times: the tangent at 1.5. */
static int estimate_exponent(uint64_t fraction, int exponent) {
    const double significand = ldexp((double)fraction, -FRACTION_BITS);
    return (int)floor((significand - 1.5) * 0.289529654 + 0.176091259 +
                      (double)exponent * 0.301029995663981);
}

static void share_factors(struct scale *scale) {
    const int shared = scale->b2 < scale->s2 ? scale->b2 : scale->s2;
    scale->b2 -= shared;
    scale->s2 -= shared;
    scale->m2 -= shared;
}

void oriel_digits_choose(uint64_t fraction, int exponent, int precision_bits,
                         struct oriel_digits *out) {
    const int zeros = __builtin_ctzll(fraction);
    const int fraction_bits = FRACTION_BITS + 1 - zeros;
    const int point_bits = fraction_bits - exponent - 1 > 0 ? fraction_bits - exponent - 1 : 0;
    out->count = 0;
    if (exponent <= SMALL_INTEGER_BITS && exponent >= 0 && point_bits == 0) {
        const uint64_t whole = exponent >= FRACTION_BITS ? fraction << (exponent - FRACTION_BITS)
                                                         : fraction >> (FRACTION_BITS - exponent);
        choose_integer(whole, exponent > precision_bits ? exponent - precision_bits - 1 : 0, out);
        return;
    }
    int decimal = estimate_exponent(fraction, exponent);
    struct scale scale;
    scale.b5 = scale.m5 = decimal < 0 ? -decimal : 0;
    scale.s5 = decimal > 0 ? decimal : 0;
    scale.b2 = scale.b5 + point_bits + exponent;
    scale.s2 = scale.s5 + point_bits;
    scale.m2 = scale.b2 - precision_bits;
    fraction >>= zeros;
    scale.b2 -= fraction_bits - 1;
    share_factors(&scale);
    if (fraction_bits == 1) /* a power of two: the neighbour below is half as far */
        scale.m2--;
    if (scale.m2 < 0) {
        scale.b2 -= scale.m2;
        scale.s2 -= scale.m2;
        scale.m2 = 0;
    }
    const int b_bits = fraction_bits + scale.b2 + bits_of_five(scale.b5);
    const int tens_bits = scale.s2 + 1 + bits_of_five(scale.s5 + 1);
    struct ending ending = {false, false, 0};
    if (b_bits < 64 && tens_bits < 64)
        choose_narrow(fraction, &scale, b_bits < 32 && tens_bits < 32 ? 32 : 64, &decimal, out,
                      &ending);
    else
        choose_wide(fraction, &scale, &decimal, out, &ending);
    out->exponent = decimal + 1;
    if (ending.high && (!ending.low || ending.past_half > 0 ||
                        (ending.past_half == 0 && out->digits[out->count - 1] % 2 != 0)))
        round_up(out);
}
