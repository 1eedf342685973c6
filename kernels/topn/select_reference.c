/* Reference of the Top-N filter: the comparison of filter/compare_reference.c on the valid rows. */
#include "kernels/isa_kernels.h"

static int is_valid(const uint64_t *valid, size_t i) {
    return valid == NULL || (valid[i / 64] >> (i % 64) & 1) != 0;
}

size_t oriel_select_i64_reference(enum oriel_compare op, const int64_t *restrict values,
                                  const uint64_t *restrict valid, size_t count, int64_t bound,
                                  uint32_t *restrict indices) {
    size_t selected = 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t holds = 0;
        if (is_valid(valid, i))
            oriel_compare_constant_i64_reference(op, values + i, bound, 1, &holds);
        if (holds)
            indices[selected++] = (uint32_t)i;
    }
    return selected;
}

size_t oriel_select_f64_reference(enum oriel_compare op, const double *restrict values,
                                  const uint64_t *restrict valid, size_t count, double bound,
                                  uint32_t *restrict indices) {
    size_t selected = 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t holds = 0;
        if (is_valid(valid, i))
            oriel_compare_constant_f64_reference(op, values + i, bound, 1, &holds);
        if (holds)
            indices[selected++] = (uint32_t)i;
    }
    return selected;
}
