/*
 * Frames of OVER: which rows of a sorted partition lie around each row, and the aggregate over
 * them.
 */
#pragma once

#include "engine/plan/plan.h"

/* The rows of a partition in their order: row i of it is row order[i] of `columns`. */
struct oriel_over_rows {
    const struct oriel_column *columns;
    const uint32_t *order;
    size_t row_count;
    const struct oriel_sort_item *items;
    uint32_t item_count;
};

/* A frame that slides: rows [begin, end) of the order. Both bounds only rise. */
struct oriel_frame {
    const struct oriel_over_call *call;
    const struct oriel_over_rows *rows;
    size_t begin, end;
};

void oriel_frame_init(struct oriel_frame *frame, const struct oriel_over_call *call,
                      const struct oriel_over_rows *rows);

/* Moves the frame to row `row`; rows are taken in order. */
void oriel_frame_move(struct oriel_frame *frame, size_t row);

/*
 * Computes `call` for every row: value i of `out` (row_count rows with validity words, all valid)
 * belongs to row order[i]'s place, that is, it is written at order[i]. Strings go to `arena`.
 */
enum oriel_status oriel_over_compute(const struct oriel_runtime *runtime,
                                     const struct oriel_over_call *call,
                                     const struct oriel_over_rows *rows, struct oriel_arena *arena,
                                     struct oriel_column *out, struct oriel_error *error);

/* over_value.c: the same for functions that are no aggregate. Strings are those of the rows. */
void oriel_over_take(const struct oriel_over_call *call, const struct oriel_over_rows *rows,
                     struct oriel_column *out);
