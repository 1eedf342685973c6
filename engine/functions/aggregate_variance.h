/*
 * Inside engine/functions: what the variances of integers, decimals and floating-point numbers
 * share. With n values, (n * sum of squares - square of the sum) is exact, and the division by n *
 * n or n * (n - 1) is the only rounding of a variance.
 */
#pragma once

#include "engine/functions/aggregate_table.h"
#include "engine/functions/wide_number.h"

struct oriel_variance_call {
    bool sample; /* divided by n * (n - 1), NULL for one value */
    bool root;   /* STDDEV */
};

extern const struct oriel_aggregate_operations oriel_variance_integer_operations;
extern const struct oriel_aggregate_operations oriel_variance_decimal_operations;
extern const struct oriel_aggregate_operations oriel_variance_float_operations;

enum {
    ORIEL_VARIANCE_INTEGER_BYTES = 48,
    ORIEL_VARIANCE_DECIMAL_BYTES = 80,
    ORIEL_VARIANCE_FLOAT_BYTES = 80,
};

/* Whether the result of `count` values is NULL; then the row is set so. */
bool oriel_variance_store_null(const struct oriel_aggregate_call *call, uint64_t count,
                               struct oriel_column *out, size_t row);

/* Writes the result for `count` values and the numerator (* 2^exponent) above, which is lost. */
void oriel_variance_store(const struct oriel_aggregate_call *call, struct oriel_wide *numerator,
                          int exponent, uint64_t count, struct oriel_column *out, size_t row);

/* Writes a variance. */
void oriel_variance_store_value(const struct oriel_aggregate_call *call, double variance,
                                struct oriel_column *out, size_t row);

/* numerator += count * digits * 2^shift */
void oriel_variance_add_squares(struct oriel_wide *numerator, uint64_t count,
                                const uint32_t *digits, size_t digit_count, unsigned shift);

/* numerator -= digits * digits * 2^shift */
void oriel_variance_subtract_square(struct oriel_wide *numerator, const uint32_t *digits,
                                    size_t digit_count, unsigned shift);
