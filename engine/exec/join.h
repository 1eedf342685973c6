/*
 * Hash joins of every kind.
 */
#pragma once

#include "engine/exec/operator.h"

/* sinks[0] takes the left input, then sinks[1] the right one, and finishes for both. */
enum oriel_status oriel_join_open(const struct oriel_plan *plan,
                                  const struct oriel_runtime *runtime, struct oriel_sink *sinks[2],
                                  struct oriel_error *error);
