/*
 * How much memory plans need so that all that grows can go to files: what an error names when the
 * limit is smaller.
 */
#pragma once

#include "engine/base/runtime.h"
#include "engine/plan/plan.h"

/* Fills `error` with ORIEL_MEMORY for plans that run together, which it returns. A safe figure:
 * what their operators and results take on all workers, and what the files are known to take. */
enum oriel_status oriel_memory_name_need(const struct oriel_runtime *runtime,
                                         const struct oriel_plan *const *plans, uint32_t plan_count,
                                         struct oriel_error *error);
