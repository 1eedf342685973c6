/*
 * Queries in parts: the lowest aggregation is run over parts of its input, which gives states;
 * these are merged, and in the end finished by the rest of the query.
 */
#pragma once

#include "engine/plan/plan.h"

/*
 * The aggregation whose states are handed on: the lowest one, below which rows are only filtered,
 * computed and given windows. ORIEL_UNSUPPORTED names what stands in the way.
 */
enum oriel_status oriel_part_find(struct oriel_plan *plan, struct oriel_plan **out,
                                  struct oriel_error *error);

/*
 * Rows of states: the key columns (all keys of all grouping sets; "grouping set" INT where there
 * are several), then "time" and "last time" BIGINT in milliseconds (begin of the slice and 0; of a
 * session its first and last row), then the state of each aggregate as VARBINARY.
 */
enum oriel_status oriel_part_schema(const struct oriel_plan *aggregate, struct oriel_arena *arena,
                                    struct oriel_schema *out, struct oriel_error *error);
