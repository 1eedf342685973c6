/* Reference of the sums of a whole column. */
#include "kernels/isa_kernels.h"

static int is_valid(const uint64_t *valid, size_t i) {
    return valid == NULL || (valid[i / 64] >> (i % 64) & 1) != 0;
}

int64_t oriel_sum_i32_reference(const int32_t *restrict values, const uint64_t *restrict valid,
                                size_t count) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_valid(valid, i))
            sum += (uint64_t)values[i];
    }
    return (int64_t)sum;
}

int64_t oriel_sum_i64_reference(const int64_t *restrict values, const uint64_t *restrict valid,
                                size_t count) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_valid(valid, i))
            sum += (uint64_t)values[i];
    }
    return (int64_t)sum;
}
