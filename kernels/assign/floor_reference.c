/* Reference of window assignment: one division a row, in Java's wrapping arithmetic. */
#include "kernels/isa_kernels.h"

void oriel_floor_i64_reference(const int64_t *restrict time, size_t count, int64_t size,
                               int64_t offset, int64_t *restrict start) {
    for (size_t i = 0; i < count; i++) {
        const int64_t relative = (int64_t)((uint64_t)time[i] - (uint64_t)offset);
        int64_t remainder = relative % size;
        if (remainder < 0)
            remainder += size;
        start[i] = (int64_t)((uint64_t)time[i] - (uint64_t)remainder);
    }
}
