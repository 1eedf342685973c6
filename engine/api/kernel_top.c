/*
 * Tier 1: the first n rows of an order. The heap lies in the caller's output with its worst row on
 * top; a vector comparison with that row's value leaves few rows that look at the heap at all.
 */
#include <math.h>
#include <stdbool.h>

#include "engine/api/kernel_call.h"

enum { BLOCK_ROWS = 1024 }; /* a multiple of 64: blocks begin at words of the bitmap */

struct ranking {
    const struct oriel_kernels *kernels;
    const int64_t *whole; /* or NULL */
    const double *real;
    enum oriel_kernel_end end;
};

/* Below, equal to or above 0 as values[left] is less than, equal to or greater than the other. */
static int compare_values(const struct ranking *ranking, uint32_t left, uint32_t right) {
    if (ranking->whole)
        return (ranking->whole[left] > ranking->whole[right]) -
               (ranking->whole[left] < ranking->whole[right]);
    const double a = ranking->real[left], b = ranking->real[right];
    if (isnan(a) || isnan(b))
        return (isnan(a) != 0) - (isnan(b) != 0);
    return (a > b) - (a < b);
}

/* Whether row `left` comes before row `right` in the result. */
static bool is_before(const struct ranking *ranking, uint32_t left, uint32_t right) {
    const int order = compare_values(ranking, left, right);
    if (order == 0)
        return left < right;
    return ranking->end == ORIEL_KERNEL_GREATEST ? order > 0 : order < 0;
}

/* Lets rows[at] sink to its place among the children, worst on top. */
static void sink(const struct ranking *ranking, uint32_t *rows, size_t count, size_t at) {
    const uint32_t row = rows[at];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_before(ranking, rows[child], rows[child + 1]))
            child++;
        if (!is_before(ranking, row, rows[child]))
            break;
        rows[at] = rows[child];
    }
    rows[at] = row;
}

static void rise(const struct ranking *ranking, uint32_t *rows, size_t at) {
    const uint32_t row = rows[at];
    for (size_t parent; at > 0; at = parent) {
        parent = (at - 1) / 2;
        if (!is_before(ranking, rows[parent], row))
            break;
        rows[at] = rows[parent];
    }
    rows[at] = row;
}

/* Numbers, within a block, of the rows that are better than row `worst`. */
static size_t select_better(const struct ranking *ranking, const uint64_t *valid, size_t begin,
                            size_t count, uint32_t worst, uint32_t *indices) {
    const enum oriel_compare op =
        ranking->end == ORIEL_KERNEL_GREATEST ? ORIEL_COMPARE_GT : ORIEL_COMPARE_LT;
    if (ranking->whole)
        return ranking->kernels->select_i64(op, ranking->whole + begin, valid, count,
                                            ranking->whole[worst], indices);
    return ranking->kernels->select_f64(op, ranking->real + begin, valid, count,
                                        ranking->real[worst], indices);
}

static size_t find_top(const struct ranking *ranking, const uint64_t *valid, size_t count, size_t n,
                       uint32_t *rows) {
    size_t used = 0, row = 0;
    for (; row < count && used < n; row++) {
        if (valid && !(valid[row / 64] >> (row % 64) & 1))
            continue;
        rows[used] = (uint32_t)row;
        rise(ranking, rows, used++);
    }
    uint32_t indices[BLOCK_ROWS + 64];
    for (size_t begin = row / BLOCK_ROWS * BLOCK_ROWS; begin < count && used; begin += BLOCK_ROWS) {
        const size_t block = count - begin < BLOCK_ROWS ? count - begin : BLOCK_ROWS;
        const size_t found = select_better(ranking, valid ? valid + begin / 64 : NULL, begin, block,
                                           rows[0], indices);
        for (size_t i = 0; i < found; i++) {
            const uint32_t candidate = (uint32_t)begin + indices[i];
            if (candidate < row || !is_before(ranking, candidate, rows[0]))
                continue;
            rows[0] = candidate;
            sink(ranking, rows, used, 0);
        }
    }
    for (size_t left = used; left > 1; left--) {
        const uint32_t worst = rows[0];
        rows[0] = rows[left - 1];
        rows[left - 1] = worst;
        sink(ranking, rows, left - 1, 0);
    }
    return used;
}

enum oriel_status oriel_kernel_top_i64(const char *isa, const int64_t *values,
                                       const uint64_t *valid, size_t count, size_t n,
                                       enum oriel_kernel_end end, uint32_t *rows, size_t *row_count,
                                       struct oriel_error *error) {
    struct ranking ranking = {.whole = values, .end = end};
    ORIEL_TRY(oriel_kernel_find_for(isa, count, &ranking.kernels, error));
    *row_count = count ? find_top(&ranking, valid, count, n, rows) : 0;
    return ORIEL_OK;
}

enum oriel_status oriel_kernel_top_f64(const char *isa, const double *values, const uint64_t *valid,
                                       size_t count, size_t n, enum oriel_kernel_end end,
                                       uint32_t *rows, size_t *row_count,
                                       struct oriel_error *error) {
    struct ranking ranking = {.real = values, .end = end};
    ORIEL_TRY(oriel_kernel_find_for(isa, count, &ranking.kernels, error));
    *row_count = count ? find_top(&ranking, valid, count, n, rows) : 0;
    return ORIEL_OK;
}
