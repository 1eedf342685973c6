/* How many rows in front lie in one stretch of numbers: unsigned distances from its begin, which
 * wrap around, compared as signed ones after a change of sign. */
#include "kernels/vec/vec.h"

size_t ORIEL_FN(within_prefix_i64)(const int64_t *restrict values, size_t count, int64_t begin,
                                   uint64_t length) {
    const vec_i64 sign = vec_i64_set1(INT64_MIN);
    const vec_i64 from = vec_i64_set1(begin);
    const vec_i64 last = vec_i64_xor(vec_i64_set1((int64_t)(length - 1)), sign);
    size_t i = 0;
    for (; i + VEC_I64_LANES <= count; i += VEC_I64_LANES) {
        const vec_i64 distance = vec_i64_sub(vec_i64_load(values + i), from);
        if (vec_i64_gt_bits(vec_i64_xor(distance, sign), last) != 0)
            break;
    }
    while (i < count && (uint64_t)values[i] - (uint64_t)begin < length)
        i++;
    return i;
}
