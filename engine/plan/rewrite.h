/*
 * Inside engine/plan: the rewrites of a bound plan, each in a file of its own; rewrite.c runs them.
 */
#pragma once

#include "engine/plan/bind.h"

/* Moves conditions down to where they cost least, and those on a rank into its range. */
enum oriel_status oriel_rewrite_filters(struct binder *b, struct oriel_plan **plan);

/* A join's equalities become keys. `conditions` are over left and right fields. */
enum oriel_status oriel_rewrite_join_keys(struct binder *b, struct oriel_plan **plan,
                                          const struct oriel_conditions *conditions);

/* Joins projections, and computes below a window function what does not need the window. */
enum oriel_status oriel_rewrite_projections(struct binder *b, struct oriel_plan **plan);

/* Aggregations straight over a window function take the window into themselves. */
enum oriel_status oriel_rewrite_windows(struct binder *b, struct oriel_plan **plan);

/* A LIMIT tells the sort below how many rows it wants; a rank learns to keep the last arrival. */
void oriel_rewrite_limits(const struct oriel_runtime *runtime, struct oriel_plan *plan);

/* Chooses the strategies of each node, and says why. */
enum oriel_status oriel_rewrite_strategies(struct binder *b, struct oriel_plan *plan);

/* Leaves out columns that nobody uses. The fields of the root stay as they are. */
enum oriel_status oriel_rewrite_columns(struct binder *b, struct oriel_plan **plan);
