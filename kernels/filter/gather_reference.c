/* Reference of the gathers. */
#include "kernels/isa_kernels.h"

#include <string.h>

void oriel_gather_8_reference(const uint8_t *restrict values, const uint32_t *restrict indices,
                              size_t count, uint8_t *restrict out) {
    for (size_t i = 0; i < count; i++)
        out[i] = values[indices[i]];
}

void oriel_gather_16_reference(const uint16_t *restrict values, const uint32_t *restrict indices,
                               size_t count, uint16_t *restrict out) {
    for (size_t i = 0; i < count; i++)
        out[i] = values[indices[i]];
}

void oriel_gather_32_reference(const uint32_t *restrict values, const uint32_t *restrict indices,
                               size_t count, uint32_t *restrict out) {
    for (size_t i = 0; i < count; i++)
        out[i] = values[indices[i]];
}

void oriel_gather_64_reference(const uint64_t *restrict values, const uint32_t *restrict indices,
                               size_t count, uint64_t *restrict out) {
    for (size_t i = 0; i < count; i++)
        out[i] = values[indices[i]];
}

void oriel_gather_128_reference(const uint64_t *restrict values, const uint32_t *restrict indices,
                                size_t count, uint64_t *restrict out) {
    for (size_t i = 0; i < count; i++)
        memcpy(out + 2 * i, values + 2 * (size_t)indices[i], 16);
}

void oriel_gather_bits_reference(const uint64_t *restrict bits, const uint32_t *restrict indices,
                                 size_t count, uint64_t *restrict out) {
    memset(out, 0, (count + 63) / 64 * sizeof *out);
    for (size_t i = 0; i < count; i++)
        out[i / 64] |= (bits[indices[i] / 64] >> (indices[i] % 64) & 1) << (i % 64);
}
