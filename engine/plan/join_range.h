/*
 * Conditions of a join that bound a value of one side by one of the other, as those of interval
 * joins do: a.ts BETWEEN b.ts - INTERVAL '5' MINUTE AND b.ts.
 */
#pragma once

#include "engine/plan/plan.h"

/* left >= right (is_upper: the right values reach up to the left one) or left <= right; strict:
 * without equality. */
struct oriel_join_range {
    struct oriel_expression *left;  /* over the left fields */
    struct oriel_expression *right; /* over the right fields */
    bool is_upper, is_strict;
};

enum { ORIEL_JOIN_RANGES_MAX = 4 };

/* Both sides of each are of one type, which is an integer of 4 or 8 bytes in memory. */
struct oriel_join_ranges {
    uint32_t count;
    struct oriel_join_range items[ORIEL_JOIN_RANGES_MAX];
};

/* The first ranges among the conditions of the residual, which holds for no pair outside of them;
 * expressions in `arena`. */
enum oriel_status oriel_plan_find_join_ranges(const struct oriel_plan *plan,
                                              struct oriel_arena *arena,
                                              struct oriel_join_ranges *out,
                                              struct oriel_error *error);
