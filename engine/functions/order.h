/*
 * Inside engine/functions: the order of two columns of comparable types, row by row.
 */
#pragma once

#include "engine/functions/signature.h"

/* Finds the types that two arguments are cast to before they are compared. `equality` is for = <>
 * and IS DISTINCT FROM, which do not read text as numbers. False when they cannot be compared. */
bool oriel_order_casts(const struct oriel_type *a, const struct oriel_type *b, bool equality,
                       struct oriel_type *cast_a, struct oriel_type *cast_b);

/* Casts all arguments to the one type that they are compared in (BETWEEN, IN); false if there is
 * none. */
bool oriel_order_unify_arguments(struct oriel_binding *binding);

/*
 * orders[i] = -1, 0 or 1 as row i of `a` is below, equal to or above row i of `b`, for the rows
 * that count by `out`; anything for the others. The columns have types that oriel_order_casts gave:
 * the same type, or DECIMALs of any scale. NaN is equal to itself and above all, -0.0 equals 0.0.
 */
void oriel_order_rows(const struct oriel_evaluation *evaluation, const struct oriel_column *out,
                      const struct oriel_type *type_a, const struct oriel_column *a,
                      const struct oriel_type *type_b, const struct oriel_column *b,
                      size_t row_count, int8_t *orders);
