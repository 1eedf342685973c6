/*
 * Inside exec: reads a started source on all workers and delivers pieces of the result in order.
 */
#pragma once

#include "engine/exec/exec.h"

/* `deliver_only`: the calling thread makes no pieces while other workers do; needed when reading
 * may wait for the morsel before (LIMIT). */
enum oriel_status oriel_run_source(const struct oriel_runtime *runtime, struct oriel_source *source,
                                   bool deliver_only, const struct oriel_piece_maker *maker,
                                   struct oriel_error *error);
