/*
 * The order in which a plan gives its rows, as far as its operators promise one.
 */
#pragma once

#include "engine/plan/plan.h"

/* Columns by which the rows of a plan ascend, NULLs first, the first column first. */
struct oriel_plan_order {
    uint32_t column_count;
    uint32_t *columns;
    bool is_unique; /* no two rows are equal in all of them */
};

/* Columns and list in `arena`; no columns: no order is known. */
enum oriel_status oriel_plan_find_order(const struct oriel_plan *plan, struct oriel_arena *arena,
                                        struct oriel_plan_order *out, struct oriel_error *error);

/* The keys of a join in the order of both inputs' rows. */
struct oriel_join_order {
    uint32_t key_count;   /* 0: they do not come in the order of the keys */
    const uint32_t *keys; /* places in the join's lists of keys */
    bool right_is_unique; /* no two right rows have equal keys */
};

/* Sets `out` if the rows of both inputs of a JOIN ascend by all of its keys, and the left ones so
 * by the order that the join gives its rows, and a row's matches decide on nothing but itself. */
enum oriel_status oriel_plan_find_join_order(const struct oriel_plan *plan,
                                             struct oriel_arena *arena,
                                             struct oriel_join_order *out,
                                             struct oriel_error *error);
