/*
 * Inside engine/functions: natural numbers of some thousand bits, for results that are computed
 * exactly and rounded once.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ORIEL_WIDE_DIGITS = 160 };

struct oriel_wide {
    uint32_t digits[ORIEL_WIDE_DIGITS]; /* base 2^32, lowest first; all zero: 0 */
};

/* number += digits * factor * 2^shift. What exceeds the width is lost. */
void oriel_wide_add(struct oriel_wide *number, const uint32_t *digits, size_t digit_count,
                    uint32_t factor, unsigned shift);

/* number -= digits * factor * 2^shift, which is not more than number. */
void oriel_wide_subtract(struct oriel_wide *number, const uint32_t *digits, size_t digit_count,
                         uint32_t factor, unsigned shift);

/* The double nearest to numerator / denominator * 2^exponent, ties to even; the denominator is not
 * 0. Both lose their value. */
double oriel_wide_ratio(struct oriel_wide *numerator, struct oriel_wide *denominator, int exponent);
