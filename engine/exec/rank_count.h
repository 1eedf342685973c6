/*
 * Inside RANK: the ranks of rows that come sorted by partition and order items.
 */
#pragma once

#include "engine/columns/source.h"
#include "engine/plan/plan.h"

struct oriel_sort_merge;

/*
 * A source of the rows of `source` whose ranks are in the range, with their ranks. Its rows, those
 * of the plan's input, come by partition, items and input; no partition is in two morsels. Takes
 * `source` over, also when it fails.
 */
enum oriel_status oriel_ranked_source_open(const struct oriel_plan *plan,
                                           const struct oriel_runtime *runtime,
                                           struct oriel_source *source, struct oriel_source **out,
                                           struct oriel_error *error);

/* The same of the rows of a merge, one thread after the other. */
enum oriel_status oriel_ranked_merge_open(const struct oriel_plan *plan,
                                          const struct oriel_runtime *runtime,
                                          struct oriel_sort_merge *merge, struct oriel_source **out,
                                          struct oriel_error *error);
