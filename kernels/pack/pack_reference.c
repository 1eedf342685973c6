/* Reference of packing: the low bytes of each difference, lowest first. */
#include "kernels/isa_kernels.h"

void oriel_pack_u64_reference(const uint64_t *restrict values, size_t count, uint64_t base,
                              unsigned width, void *restrict packed) {
    uint8_t *const bytes = packed;
    for (size_t i = 0; i < count; i++) {
        for (unsigned b = 0; b < width; b++)
            bytes[i * width + b] = (uint8_t)((values[i] - base) >> (8 * b));
    }
}

void oriel_unpack_u64_reference(const void *restrict packed, size_t count, uint64_t base,
                                unsigned width, size_t stride, uint64_t *restrict values) {
    const uint8_t *const bytes = packed;
    for (size_t i = 0; i < count; i++) {
        uint64_t difference = 0;
        for (unsigned b = 0; b < width; b++)
            difference |= (uint64_t)bytes[i * width + b] << (8 * b);
        values[i * stride] = base + difference;
    }
}
