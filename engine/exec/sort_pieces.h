/*
 * Inside sorting: runs in memory as a source whose morsels are ranges of the order, each merged by
 * the worker that reads it.
 */
#pragma once

#include "engine/exec/sort_run.h"

/* Rows in order, at most `limit`, their first fields `visible`. Rows that are equal in the first
 * `whole_parts` parts of the layout are never in two morsels (0: they may be). The runs, all in
 * memory, must outlive the source. */
enum oriel_status oriel_sort_pieces_open(const struct oriel_sort_layout *layout,
                                         const struct oriel_runtime *runtime,
                                         struct oriel_schema visible, struct oriel_sort_run *runs,
                                         uint64_t limit, uint32_t whole_parts,
                                         struct oriel_source **out, struct oriel_error *error);
