/*
 * The decimal digits that Java 17 chooses for a binary floating point number. Not always the fewest
 * that identify it: Java's are sometimes one digit longer, or end in 0.
 */
#pragma once

#include <stdint.h>

enum { ORIEL_DIGITS_MAX = 24 };

/* 0.d1d2d3... * 10^exponent */
struct oriel_digits {
    int count;
    int exponent;
    char digits[ORIEL_DIGITS_MAX]; /* values 0..9 */
};

/*
 * The value is fraction * 2^(exponent - 52), its fraction has bit 52 as the highest bit;
 * `precision_bits` of them count: 53 for a double, 24 for a float, fewer below the normal range.
 */
void oriel_digits_choose(uint64_t fraction, int exponent, int precision_bits,
                         struct oriel_digits *out);
