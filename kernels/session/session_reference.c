/* Reference of the session scan and the order test. */
#include "kernels/isa_kernels.h"

#include <string.h>

size_t oriel_session_breaks_reference(const int64_t *restrict time, const uint32_t *restrict keys,
                                      size_t count, int64_t gap, uint64_t *restrict breaks) {
    size_t sessions = 0;
    memset(breaks, 0, (count + 63) / 64 * sizeof *breaks);
    for (size_t i = 0; i < count; i++) {
        const int same_key = i > 0 && (keys == NULL || keys[i] == keys[i - 1]);
        if (same_key && (uint64_t)time[i] - (uint64_t)time[i - 1] <= (uint64_t)gap)
            continue;
        breaks[i / 64] |= UINT64_C(1) << (i % 64);
        sessions++;
    }
    return sessions;
}

size_t oriel_sorted_prefix_i64_reference(const int64_t *restrict values, size_t count) {
    size_t i = count == 0 ? 0 : 1;
    while (i < count && values[i - 1] <= values[i])
        i++;
    return i;
}
