/*
 * Exact sums of doubles. The limbs are 32-bit digits of a fixed-point number whose lowest digit has
 * the weight of the smallest subnormal; they are kept in 64 bits so that carries can wait.
 */
#include "engine/functions/exact_sum.h"

#include <math.h>
#include <string.h>

enum {
    LIMB_COUNT = 68,      /* 2098 bits of double's range, 53 of mantissa, room for 2^31 carries */
    CARRIES_MAX = 1 << 20 /* additions between two normalisations, far below 2^31 */
};

struct oriel_exact_limbs {
    int64_t digits[LIMB_COUNT];
    uint32_t pending;
};

/* Makes all digits but the highest 0 .. 2^32 - 1. */
static void normalise(struct oriel_exact_limbs *limbs) {
    int64_t carry = 0;
    for (int i = 0; i < LIMB_COUNT - 1; i++) {
        const int64_t digit = limbs->digits[i] + carry;
        limbs->digits[i] = digit & INT64_C(0xFFFFFFFF);
        carry = (digit - limbs->digits[i]) / (INT64_C(1) << 32);
    }
    limbs->digits[LIMB_COUNT - 1] += carry;
    limbs->pending = 0;
}

static void add_to_limbs(struct oriel_exact_limbs *limbs, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const unsigned exponent = (unsigned)(bits >> 52) & 0x7FF;
    uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);
    if (exponent)
        mantissa |= UINT64_C(1) << 52;
    const unsigned shift = exponent ? exponent - 1 : 0; /* weight of the mantissa's bit 0 */
    const unsigned limb = shift / 32, bit = shift % 32;
    const unsigned __int128 wide = (unsigned __int128)mantissa << bit;
    const int64_t sign = bits >> 63 ? -1 : 1;
    for (unsigned i = 0; i < 3; i++)
        limbs->digits[limb + i] += sign * (int64_t)((uint64_t)(wide >> (32 * i)) & 0xFFFFFFFF);
    if (++limbs->pending >= CARRIES_MAX)
        normalise(limbs);
}

static struct oriel_exact_limbs *limbs_of(struct oriel_exact_sum *sum, struct oriel_arena *arena) {
    if (!sum->limbs)
        sum->limbs = oriel_arena_allocate_zeroed(arena, 1, sizeof *sum->limbs);
    return sum->limbs;
}

/* s + *error is exactly a + b. */
static double two_sum(double a, double b, double *error) {
    const double s = a + b;
    const double b_part = s - a;
    *error = (a - (s - b_part)) + (b - b_part);
    return s;
}

static bool add_finite(struct oriel_exact_sum *sum, double value, struct oriel_arena *arena) {
    double error, rest;
    const double high = two_sum(sum->high, value, &error);
    const double low = two_sum(sum->low, error, &rest);
    if (isfinite(high) && rest == 0.0) {
        sum->high = high;
        sum->low = low;
        return true;
    }
    struct oriel_exact_limbs *limbs = limbs_of(sum, arena);
    if (!limbs)
        return false;
    add_to_limbs(limbs, sum->high);
    add_to_limbs(limbs, sum->low);
    sum->high = value;
    sum->low = 0.0;
    return true;
}

bool oriel_exact_sum_add(struct oriel_exact_sum *sum, double value, struct oriel_arena *arena) {
    if (!isfinite(value)) {
        sum->infinities |= isnan(value) ? 4 : value > 0 ? 1 : 2;
        return true;
    }
    return add_finite(sum, value, arena);
}

bool oriel_exact_sum_merge(struct oriel_exact_sum *into, const struct oriel_exact_sum *from,
                           struct oriel_arena *arena) {
    into->infinities |= from->infinities;
    if (from->limbs) {
        struct oriel_exact_limbs *limbs = limbs_of(into, arena);
        if (!limbs)
            return false;
        normalise(limbs);
        for (int i = 0; i < LIMB_COUNT; i++)
            limbs->digits[i] += from->limbs->digits[i];
        normalise(limbs);
    }
    return add_finite(into, from->high, arena) && add_finite(into, from->low, arena);
}

/* The digits 0 .. 2^32 - 1 of |number|; returns the sign. */
static int magnitude(const struct oriel_exact_limbs *limbs, uint32_t digits[LIMB_COUNT + 1]) {
    struct oriel_exact_limbs copy = *limbs;
    normalise(&copy);
    const int negative = copy.digits[LIMB_COUNT - 1] < 0;
    if (negative) {
        for (int i = 0; i < LIMB_COUNT; i++)
            copy.digits[i] = -copy.digits[i];
        normalise(&copy);
    }
    for (int i = 0; i < LIMB_COUNT; i++)
        digits[i] = (uint32_t)copy.digits[i];
    digits[LIMB_COUNT] = (uint32_t)((uint64_t)copy.digits[LIMB_COUNT - 1] >> 32);
    return negative ? -1 : 1;
}

static int any_below(const uint32_t *digits, int bit) {
    for (int i = 0; i < bit / 32; i++) {
        if (digits[i])
            return 1;
    }
    return (digits[bit / 32] & ((UINT32_C(1) << (bit % 32)) - 1)) != 0;
}

/* Rounds to nearest, ties to even. */
static double round_limbs(const struct oriel_exact_limbs *limbs) {
    uint32_t digits[LIMB_COUNT + 1];
    const int sign = magnitude(limbs, digits);
    int top = LIMB_COUNT;
    while (top >= 0 && !digits[top])
        top--;
    if (top < 0)
        return 0.0;
    const int highest = top * 32 + 31 - __builtin_clz(digits[top]);
    const int lowest = highest > 52 ? highest - 52 : 0; /* of the mantissa's bits */
    uint64_t mantissa = 0;
    for (int bit = highest; bit >= lowest; bit--)
        mantissa = mantissa << 1 | ((digits[bit / 32] >> (bit % 32)) & 1);
    if (lowest > 0) {
        const int half = (digits[(lowest - 1) / 32] >> ((lowest - 1) % 32)) & 1;
        if (half && ((mantissa & 1) || any_below(digits, lowest - 1)))
            mantissa++;
    }
    return sign * ldexp((double)mantissa, lowest - 1074);
}

double oriel_exact_sum_value(const struct oriel_exact_sum *sum) {
    if (sum->infinities)
        return (sum->infinities & 4) || sum->infinities == 3 ? (double)NAN
               : sum->infinities == 1                        ? (double)INFINITY
                                                             : -(double)INFINITY;
    if (!sum->limbs)
        return sum->high + sum->low;
    struct oriel_exact_limbs total = *sum->limbs;
    add_to_limbs(&total, sum->high);
    add_to_limbs(&total, sum->low);
    return round_limbs(&total);
}

_Static_assert((int)ORIEL_EXACT_SUM_DIGITS == (int)LIMB_COUNT + 1, "digits of a magnitude");

int oriel_exact_sum_digits(const struct oriel_exact_sum *sum,
                           uint32_t digits[ORIEL_EXACT_SUM_DIGITS]) {
    struct oriel_exact_limbs total = {{0}, 0};
    if (sum->limbs)
        total = *sum->limbs;
    add_to_limbs(&total, sum->high);
    add_to_limbs(&total, sum->low);
    return magnitude(&total, digits);
}

size_t oriel_exact_sum_saved_bytes(const struct oriel_exact_sum *sum) {
    return sizeof *sum + (sum->limbs ? sizeof *sum->limbs : 0);
}

void oriel_exact_sum_save(const struct oriel_exact_sum *sum, char *out) {
    memcpy(out, sum, sizeof *sum);
    if (sum->limbs)
        memcpy(out + sizeof *sum, sum->limbs, sizeof *sum->limbs);
}

bool oriel_exact_sum_load(struct oriel_exact_sum *sum, const char *bytes, size_t size_bytes,
                          struct oriel_arena *arena) {
    memcpy(sum, bytes, sizeof *sum);
    sum->limbs = NULL;
    if (size_bytes > sizeof *sum) {
        if (!limbs_of(sum, arena))
            return false;
        memcpy(sum->limbs, bytes + sizeof *sum, sizeof *sum->limbs);
    }
    return true;
}
