/* Least and greatest value of a column, 64 rows at a time: words of the bitmap that are all valid
 * (or no bitmap) go through vectors, mixed words through their set bits. */
#include "kernels/vec/vec.h"

struct bounds {
    vec_i64 least;
    vec_i64 greatest;
};

static inline struct bounds widen_by_run(struct bounds bounds, const int64_t *values,
                                         size_t count) {
    for (size_t i = 0; i < count; i += VEC_I64_LANES) {
        const vec_i64 value = vec_i64_load(values + i);
        bounds.least = vec_i64_min(bounds.least, value);
        bounds.greatest = vec_i64_max(bounds.greatest, value);
    }
    return bounds;
}

static inline void widen_by_value(int64_t out[2], int64_t value) {
    out[0] = value < out[0] ? value : out[0];
    out[1] = value > out[1] ? value : out[1];
}

void ORIEL_FN(min_max_i64)(const int64_t *restrict values, const uint64_t *restrict valid,
                           size_t count, int64_t out[restrict 2]) {
    struct bounds bounds = {vec_i64_set1(INT64_MAX), vec_i64_set1(INT64_MIN)};
    int64_t scalar[2] = {INT64_MAX, INT64_MIN};
    for (size_t first = 0; first < count; first += 64) {
        uint64_t rows = bits_valid_word(valid, first / 64, count);
        if (rows == ~UINT64_C(0)) {
            bounds = widen_by_run(bounds, values + first, 64);
            continue;
        }
        for (; rows != 0; rows &= rows - 1)
            widen_by_value(scalar, values[first + bits_lowest(rows)]);
    }
    const int64_t least = vec_i64_reduce_min(bounds.least);
    const int64_t greatest = vec_i64_reduce_max(bounds.greatest);
    out[0] = least < scalar[0] ? least : scalar[0];
    out[1] = greatest > scalar[1] ? greatest : scalar[1];
}
