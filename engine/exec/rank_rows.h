/*
 * Inside RANK: the ranks of the rows of some whole partitions.
 */
#pragma once

#include "engine/exec/sorter.h"

/*
 * Ranks the rows of `table` (the input's fields and the position), which holds all rows of each of
 * its partitions that can be in the range, and gives those in the range to `sorter`: fields, rank,
 * position.
 */
enum oriel_status oriel_rank_rows(const struct oriel_plan *plan,
                                  const struct oriel_runtime *runtime,
                                  const struct oriel_table *table, struct oriel_sorter *sorter,
                                  unsigned worker, struct oriel_error *error);
