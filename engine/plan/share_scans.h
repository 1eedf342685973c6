/*
 * Finds tables that several SCANs of one or more plans read, and that can be read once: a SCAN
 * whose rows go through streaming nodes and UNIONs into a breaker (aggregation, rank, sort, OVER,
 * sessions) can take rows when they come, whoever else does. Inputs of joins are left alone (left
 * rows pass by the right ones), and so is what a LIMIT may stop.
 */
#pragma once

#include "engine/plan/plan.h"

/* `streams` (may be NULL: none) tells which roots take rows as they come too. With `same_columns`
 * only SCANs of the same columns are joined, as where bad rows are put aside. What is found is
 * written to the SCANs; it lies in `arena`, as the plans do. */
enum oriel_status oriel_plans_share_scans(struct oriel_plan *const *plans, uint32_t plan_count,
                                          const bool *streams, bool same_columns,
                                          struct oriel_arena *arena, struct oriel_error *error);
