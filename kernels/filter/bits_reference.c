/* Reference of the bitmap kernels: one bit at a time. */
#include "kernels/isa_kernels.h"

#include <string.h>

static int bit_at(const uint64_t *bits, size_t i) {
    return (int)(bits[i / 64] >> (i % 64) & 1);
}

size_t oriel_bytes_to_bits_reference(const uint8_t *restrict bytes, const uint64_t *restrict valid,
                                     size_t count, uint64_t *restrict selection) {
    size_t selected = 0;
    memset(selection, 0, (count + 63) / 64 * sizeof *selection);
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == 0 || (valid != NULL && !bit_at(valid, i)))
            continue;
        selection[i / 64] |= UINT64_C(1) << (i % 64);
        selected++;
    }
    return selected;
}

size_t oriel_count_bits_reference(const uint64_t *restrict bits, size_t count) {
    size_t set = 0;
    for (size_t i = 0; i < count; i++)
        set += (size_t)bit_at(bits, i);
    return set;
}

size_t oriel_select_indices_reference(const uint64_t *restrict selection, size_t count,
                                      uint32_t *restrict indices) {
    size_t selected = 0;
    for (size_t i = 0; i < count; i++) {
        if (bit_at(selection, i))
            indices[selected++] = (uint32_t)i;
    }
    return selected;
}
