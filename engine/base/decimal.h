/*
 * Decimals as 128-bit unscaled integers; |value| < 10^38. Rounding is half away from zero, as in
 * Flink. The 256-bit intermediate results that products and quotients need stay inside.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ORIEL_DECIMAL_TEXT_BYTES = 48 };

/* 10^exponent for exponent 0..38. */
__int128 oriel_decimal_power(unsigned exponent);

/* Parses [+-]digits[.digits][e[+-]digits] with no blanks (`.5` and `5.` too); rounds to `scale`.
 * Returns 0; 1 when the text is no number; 2 when it has more than `precision` digits after
 * rounding. */
int oriel_decimal_parse(const char *text, size_t length, unsigned precision, unsigned scale,
                        __int128 *out);

/* Writes the plain form with exactly `scale` digits after the point; returns its length. */
size_t oriel_decimal_print(__int128 value, unsigned scale, char out[ORIEL_DECIMAL_TEXT_BYTES]);

/* Brings a value to another scale; false when it exceeds `precision` digits. */
bool oriel_decimal_rescale(__int128 value, unsigned from_scale, unsigned to_scale,
                           unsigned precision, __int128 *out);

/* out = a * b, both unscaled, brought from scale `from_scale` (of the exact product, up to 76) to
 * `to_scale`. */
bool oriel_decimal_multiply(__int128 a, __int128 b, unsigned from_scale, unsigned to_scale,
                            unsigned precision, __int128 *out);

/* out = a / b * 10^shift, rounded once; b is not 0. The scale of the result is
 * scale(a) - scale(b) + shift; the shift may be negative. */
bool oriel_decimal_divide(__int128 a, __int128 b, int shift, unsigned precision, __int128 *out);

/* The nearest double. */
double oriel_decimal_to_double(__int128 value, unsigned scale);

/* Rounds the decimal digits that Java prints for the value, so 1.005 gives 1.01 for scale 2, as in
 * Flink. False when the value is not finite or too large. */
bool oriel_decimal_from_double(double value, unsigned precision, unsigned scale, __int128 *out);
