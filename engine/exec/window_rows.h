/*
 * Rows with their windows: what the WINDOW stage and the SESSION sink append to the input's
 * columns.
 */
#pragma once

#include "engine/base/runtime.h"
#include "engine/columns/batch.h"
#include "engine/plan/plan.h"

enum { ORIEL_WINDOW_COLUMNS = 3 }; /* window_start, window_end, window_time */

/*
 * Looks at the time column of a batch: writes the wall-clock times to *times_ms (the column's own
 * values or `scratch`). Rows without a time are counted as dropped, or are an error, as the window
 * says; when there are any, *rows names the others (room for row_count + 64), else *rows is NULL.
 * *row_count is the number of rows that stay.
 */
enum oriel_status oriel_window_times(const struct oriel_runtime *runtime,
                                     const struct oriel_window *window,
                                     const struct oriel_batch *batch, int64_t *scratch,
                                     uint32_t *room, const int64_t **times_ms,
                                     const uint32_t **rows, size_t *row_count,
                                     struct oriel_error *error);

/* values = window_time of windows that end at ends_ms, as `type` says. */
void oriel_window_time_fill(const struct oriel_runtime *runtime, const struct oriel_type *type,
                            const int64_t *ends_ms, size_t row_count, void *values);
