/* Reference of the prefix that lies in one stretch of numbers. */
#include "kernels/isa_kernels.h"

size_t oriel_within_prefix_i64_reference(const int64_t *restrict values, size_t count,
                                         int64_t begin, uint64_t length) {
    for (size_t i = 0; i < count; i++) {
        if ((uint64_t)values[i] - (uint64_t)begin >= length)
            return i;
    }
    return count;
}
