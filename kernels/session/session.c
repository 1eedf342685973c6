/* Session scan over rows sorted by key and time: where a key changes or the gap is exceeded, in
 * words of 64 rows. Times ascend within a key, so their difference as an unsigned number is exact;
 * across keys it means nothing and is not needed. */
#include "kernels/vec/vec.h"

/* One row at a time, for the ends of the column. */
static inline uint64_t breaks_by_row(const int64_t *time, const uint32_t *keys, size_t first,
                                     size_t end, int64_t gap) {
    uint64_t word = 0;
    for (size_t i = first; i < end; i++) {
        const int starts = i == 0 || (keys != NULL && keys[i] != keys[i - 1]) ||
                           (uint64_t)time[i] - (uint64_t)time[i - 1] > (uint64_t)gap;
        word |= (uint64_t)starts << (i - first);
    }
    return word;
}

static inline uint64_t breaks_by_time(const int64_t *time, vec_i64 gaps, vec_i64 sign) {
    uint64_t word = 0;
    for (size_t k = 0; k < 64; k += VEC_I64_LANES) {
        const vec_i64 step = vec_i64_sub(vec_i64_load(time + k), vec_i64_load(time + k - 1));
        word |= (uint64_t)vec_i64_gt_bits(vec_i64_xor(step, sign), gaps) << k;
    }
    return word;
}

static inline uint64_t breaks_by_key(const uint32_t *keys) {
    uint64_t same = 0;
    for (size_t k = 0; k < 64; k += VEC_U32_LANES)
        same |= (uint64_t)vec_u32_eq_bits(keys + k, keys + k - 1) << k;
    return ~same;
}

size_t ORIEL_FN(session_breaks)(const int64_t *restrict time, const uint32_t *restrict keys,
                                size_t count, int64_t gap, uint64_t *restrict breaks) {
    /* With the sign flipped on both sides, the signed comparison is an unsigned one. Not by adding
     * INT64_MIN: where vectors are plain C, as on NEON, the sum must not overflow and the compiler
     * would compare without it. */
    const vec_i64 sign = vec_i64_set1(INT64_MIN);
    const vec_i64 gaps = vec_i64_xor(vec_i64_set1(gap), sign);
    size_t sessions = 0;
    for (size_t first = 0; first < count; first += 64) {
        const size_t used = count - first < 64 ? count - first : 64;
        uint64_t word;
        if (first == 0 || used < 64) {
            word = breaks_by_row(time, keys, first, first + used, gap);
        } else {
            word = breaks_by_time(time + first, gaps, sign);
            if (keys != NULL)
                word |= breaks_by_key(keys + first);
        }
        breaks[first / 64] = word;
        sessions += bits_count(word);
    }
    return sessions;
}

size_t ORIEL_FN(sorted_prefix_i64)(const int64_t *restrict values, size_t count) {
    size_t i = count == 0 ? 0 : 1;
    for (; i + VEC_I64_LANES <= count; i += VEC_I64_LANES) {
        if (vec_i64_gt_bits(vec_i64_load(values + i - 1), vec_i64_load(values + i)) != 0)
            break;
    }
    while (i < count && values[i - 1] <= values[i])
        i++;
    return i;
}
