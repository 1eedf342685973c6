/*
 * Inside aggregation: states as rows, for queries that run in parts. Columns as in
 * engine/plan/part.h; a state is its saved bytes and a check sum of them.
 */
#pragma once

#include "engine/exec/aggregate_merge.h"

/* Adds rows of states to the groups of a worker. ORIEL_DATA when they are no such states. */
enum oriel_status aggregate_part_add(struct aggregate_store *store, const struct oriel_batch *batch,
                                     struct oriel_error *error);

/* A source of the states of all groups, in order of time, then key; equal ones are merged, but for
 * sessions. */
enum oriel_status aggregate_part_source(const struct aggregate_merged *merged,
                                        struct oriel_source **out, struct oriel_error *error);
