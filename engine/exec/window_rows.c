/*
 * The time column of rows that get windows, and the window_time of their windows.
 */
#include "engine/exec/window_rows.h"

#include <string.h>

#include "engine/exec/row_time.h"
#include "kernels/kernels.h"

/* Far outside of the years 0001 to 9999, and far enough from the ends of int64 to add any size. */
static const int64_t TIME_MAX_MS = INT64_C(1) << 61;

static enum oriel_status check_range(const struct oriel_runtime *runtime, const int64_t *times_ms,
                                     const uint64_t *valid, size_t row_count,
                                     struct oriel_error *error) {
    int64_t bounds[2];
    runtime->kernels->min_max_i64(times_ms, valid, row_count, bounds);
    if (bounds[0] <= bounds[1] && (bounds[0] < -TIME_MAX_MS || bounds[1] > TIME_MAX_MS))
        return oriel_error_set(error, ORIEL_DATA,
                               "a row time lies outside of the times that windows can have");
    return ORIEL_OK;
}

enum oriel_status oriel_window_times(const struct oriel_runtime *runtime,
                                     const struct oriel_window *window,
                                     const struct oriel_batch *batch, int64_t *scratch,
                                     uint32_t *room, const int64_t **times_ms,
                                     const uint32_t **rows, size_t *row_count,
                                     struct oriel_error *error) {
    const struct oriel_column *column = &batch->columns[window->time_column];
    const size_t total = batch->row_count;
    *rows = NULL;
    *row_count = total;
    if (column->valid) {
        const size_t kept = runtime->kernels->count_bits(column->valid, total);
        if (kept != total && !window->drop_null_time)
            return oriel_error_set(error, ORIEL_DATA,
                                   "RowTime field should not be null, please convert it to a "
                                   "non-null long value.");
        if (kept != total) {
            runtime->kernels->select_indices(column->valid, total, room);
            *rows = room;
            *row_count = kept;
            if (runtime->progress)
                atomic_fetch_add_explicit(&runtime->progress->rows_without_time, total - kept,
                                          memory_order_relaxed);
        }
    }
    *times_ms = oriel_row_time_local(runtime, column, total, scratch);
    return check_range(runtime, *times_ms, column->valid, total, error);
}

void oriel_window_time_fill(const struct oriel_runtime *runtime, const struct oriel_type *type,
                            const int64_t *ends_ms, size_t row_count, void *values) {
    const size_t width = oriel_physical_size(oriel_type_physical(type));
    if (type->id == ORIEL_TYPE_TIMESTAMP && width == sizeof(int64_t)) {
        for (size_t i = 0; i < row_count; i++)
            ((int64_t *)values)[i] = ends_ms[i] - 1;
        return;
    }
    for (size_t i = 0; i < row_count; i++) {
        if (i && ends_ms[i] == ends_ms[i - 1])
            memcpy((char *)values + i * width, (char *)values + (i - 1) * width, width);
        else
            oriel_row_time_store(runtime, type, ends_ms[i] - 1, values, i);
    }
}
