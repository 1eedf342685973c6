/* Inside engine/api: see oriel_engine_set_window_range. */
#pragma once

struct oriel_plan;
struct oriel_result;

/* Notes that a plan has no window to restrict, if a range is set. */
void oriel_note_window_range(const struct oriel_result *result, const struct oriel_plan *plan);
