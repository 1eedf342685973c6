/* Least and greatest value of a column, 64 rows at a time: words of the bitmap that are all valid (or
 * no bitmap) go through vectors, mixed words through their set bits. */
#include "kernels/vec/vec.h"

struct bounds {
    vec_i64 least;
    vec_i64 greatest;
};

static inline struct bounds widen_by_run(struct bounds bounds, const int64_t *values, size_t count) {
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
    int64_t least[VEC_I64_LANES];
    int64_t greatest[VEC_I64_LANES];
    vec_i64_store(least, bounds.least);
    vec_i64_store(greatest, bounds.greatest);
    for (int k = 0; k < VEC_I64_LANES; k++) {
        widen_by_value(scalar, least[k]);
        widen_by_value(scalar, greatest[k]);
    }
    out[0] = scalar[0];
    out[1] = scalar[1];
}
