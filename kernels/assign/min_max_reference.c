/* Reference of the least and greatest value of a column. */
#include "kernels/isa_kernels.h"

void oriel_min_max_i64_reference(const int64_t *restrict values, const uint64_t *restrict valid,
                                 size_t count, int64_t out[restrict 2]) {
    int64_t least = INT64_MAX;
    int64_t greatest = INT64_MIN;
    for (size_t i = 0; i < count; i++) {
        if (valid != NULL && (valid[i / 64] >> (i % 64) & 1) == 0)
            continue;
        if (values[i] < least)
            least = values[i];
        if (values[i] > greatest)
            greatest = values[i];
    }
    out[0] = least;
    out[1] = greatest;
}
