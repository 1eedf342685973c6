/*
 * Exact sums of doubles: the state holds the sum of all added values without error, so the rounded
 * result is the same for any order, split and instruction set.
 *
 * Two doubles hold the sum while it fits them (the error-free TwoSum of Knuth, TAOCP 2, 4.2.2);
 * what does not fit goes to a fixed-point accumulator over the whole range of double, in the manner
 * of U. Kulisch, "Computer Arithmetic and Validity" (2013).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/arena.h"

struct oriel_exact_limbs;

struct oriel_exact_sum { /* all zero: nothing added */
    double high, low;    /* their exact sum, plus `limbs`, is the total of the finite values */
    struct oriel_exact_limbs *limbs;
    uint32_t infinities; /* bit 0: +Infinity was added, bit 1: -Infinity, bit 2: NaN */
};

/* False when memory runs out. */
bool oriel_exact_sum_add(struct oriel_exact_sum *sum, double value, struct oriel_arena *arena);
bool oriel_exact_sum_merge(struct oriel_exact_sum *into, const struct oriel_exact_sum *from,
                           struct oriel_arena *arena);

/*
 * The magnitude of the total of the finite values as base 2^32 digits, lowest first; digit 0 counts
 * multiples of 2^-1074. Returns its sign, -1 or 1.
 */
enum { ORIEL_EXACT_SUM_DIGITS = 69 };
int oriel_exact_sum_digits(const struct oriel_exact_sum *sum,
                           uint32_t digits[ORIEL_EXACT_SUM_DIGITS]);

/* The total, correctly rounded. */
double oriel_exact_sum_value(const struct oriel_exact_sum *sum);

size_t oriel_exact_sum_saved_bytes(const struct oriel_exact_sum *sum);
void oriel_exact_sum_save(const struct oriel_exact_sum *sum, char *out);
bool oriel_exact_sum_load(struct oriel_exact_sum *sum, const char *bytes, size_t size_bytes,
                          struct oriel_arena *arena);
