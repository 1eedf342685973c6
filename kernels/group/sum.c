/* Sums of a whole column, 64 rows at a time: words that are all valid go through vectors, mixed
 * words through their set bits. */
#include "kernels/group/sum_run.h"
#include "kernels/vec/vec.h"

int64_t ORIEL_FN(sum_i32)(const int32_t *restrict values, const uint64_t *restrict valid,
                          size_t count) {
    uint64_t sum = 0;
    for (size_t first = 0; first < count; first += 64) {
        uint64_t rows = bits_valid_word(valid, first / 64, count);
        if (rows == ~UINT64_C(0)) {
            sum += sum_run_i32(values + first);
            continue;
        }
        for (; rows != 0; rows &= rows - 1)
            sum += (uint64_t)values[first + bits_lowest(rows)];
    }
    return (int64_t)sum;
}

int64_t ORIEL_FN(sum_i64)(const int64_t *restrict values, const uint64_t *restrict valid,
                          size_t count) {
    vec_i64 even = vec_i64_set1(0);
    vec_i64 odd = vec_i64_set1(0);
    uint64_t sum = 0;
    for (size_t first = 0; first < count; first += 64) {
        uint64_t rows = bits_valid_word(valid, first / 64, count);
        if (rows == ~UINT64_C(0)) {
            for (size_t i = first; i < first + 64; i += 2 * VEC_I64_LANES) {
                even = vec_i64_add(even, vec_i64_load(values + i));
                odd = vec_i64_add(odd, vec_i64_load(values + i + VEC_I64_LANES));
            }
            continue;
        }
        for (; rows != 0; rows &= rows - 1)
            sum += (uint64_t)values[first + bits_lowest(rows)];
    }
    return (int64_t)(sum + (uint64_t)vec_i64_reduce_add(vec_i64_add(even, odd)));
}
