/*
 * The strategy "copies": HOP and CUMULATE without slices. Each row is added to each of its windows,
 * one window of all rows of a batch after the other.
 */
#include "engine/base/civil.h"
#include "engine/exec/aggregate_store.h"
#include "kernels/kernels.h"

/* The room: the name of the first window of each row, then the bound of the names. */
enum oriel_status aggregate_copies_begin(struct aggregate_store *store, const int64_t *times,
                                         size_t row_count, struct oriel_error *error) {
    const struct aggregate_layout *layout = store->layout;
    const struct oriel_window *window = layout->window;
    const struct oriel_kernels *kernels = layout->runtime->kernels;
    ORIEL_TRY(aggregate_array_grow(store, &store->order_keys, 2 * row_count, error));
    int64_t *first = store->order_keys.items, *bound = first + row_count;
    const int64_t step_ms = window->slide_ms;
    kernels->floor_i64(times, row_count, step_ms, oriel_floor_mod(window->offset_ms, step_ms),
                       first);
    if (window->kind == ORIEL_WINDOW_HOP) { /* starts, downward, above time - size */
        for (size_t i = 0; i < row_count; i++)
            bound[i] = times[i] - window->size_ms;
        return ORIEL_OK;
    }
    kernels->floor_i64(times, row_count, window->size_ms,
                       oriel_floor_mod(window->offset_ms, window->size_ms), bound);
    for (size_t i = 0; i < row_count; i++) { /* ends, upward, to that of the longest window */
        first[i] += step_ms;
        bound[i] += window->size_ms;
    }
    return ORIEL_OK;
}

bool aggregate_copies_next(struct aggregate_store *store, const uint64_t *rows, size_t row_count,
                           int64_t number) {
    const struct oriel_window *window = store->layout->window;
    const int64_t *first = store->order_keys.items, *bound = first + row_count;
    const bool hop = window->kind == ORIEL_WINDOW_HOP;
    const int64_t step_ms = hop ? -window->slide_ms : window->slide_ms;
    uint64_t any = 0;
    for (size_t begin = 0; begin < row_count; begin += 64) {
        const size_t end = row_count - begin < 64 ? row_count : begin + 64;
        uint64_t word = 0;
        for (size_t i = begin; i < end; i++) {
            const int64_t name = first[i] + number * step_ms;
            store->slice_starts[i] = name;
            word |= (uint64_t)(hop ? name > bound[i] : name <= bound[i]) << (i - begin);
        }
        store->window_rows[begin / 64] = word & (rows ? rows[begin / 64] : ~UINT64_C(0));
        any |= store->window_rows[begin / 64];
    }
    return any != 0;
}
