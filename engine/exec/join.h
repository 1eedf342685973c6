/*
 * Joins of every kind.
 */
#pragma once

#include "engine/exec/operator.h"

/* Rows that a left row may become where left rows pass by the right ones. */
enum { ORIEL_JOIN_EXPANSION_MAX = 1024 };

/* The rows of the join of two inputs. Takes them over and closes them, also when opening fails. */
enum oriel_status oriel_join_source_open(const struct oriel_plan *plan,
                                         const struct oriel_runtime *runtime,
                                         struct oriel_source *const inputs[2],
                                         struct oriel_source **out, struct oriel_error *error);

/* Inside joins, the hash join: sinks[0] takes the left input and sinks[1] the right one, in any
 * order; sinks[1] finishes for both. */
enum oriel_status oriel_join_open(const struct oriel_plan *plan,
                                  const struct oriel_runtime *runtime, struct oriel_sink *sinks[2],
                                  struct oriel_error *error);

/* Between the inputs: leaves half of the memory to the second one. */
enum oriel_status oriel_join_relieve(struct oriel_sink *sink, struct oriel_error *error);
