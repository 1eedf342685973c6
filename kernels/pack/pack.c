/* Packs words into fewer bytes and back. Plain loops, one a width: the compiler has the narrowing
 * and widening instructions of every instruction set. */
#include "kernels/vec/vec.h"

void ORIEL_FN(pack_u64)(const uint64_t *restrict values, size_t count, uint64_t base,
                        unsigned width, void *restrict packed) {
    uint8_t *const bytes = packed;
    uint16_t *const halves = packed;
    uint32_t *const words = packed;
    uint64_t *const longs = packed;
    switch (width) {
    case 0: break;
    case 1:
        for (size_t i = 0; i < count; i++)
            bytes[i] = (uint8_t)(values[i] - base);
        break;
    case 2:
        for (size_t i = 0; i < count; i++)
            halves[i] = (uint16_t)(values[i] - base);
        break;
    case 4:
        for (size_t i = 0; i < count; i++)
            words[i] = (uint32_t)(values[i] - base);
        break;
    default:
        for (size_t i = 0; i < count; i++)
            longs[i] = values[i] - base;
    }
}

void ORIEL_FN(unpack_u64)(const void *restrict packed, size_t count, uint64_t base, unsigned width,
                          size_t stride, uint64_t *restrict values) {
    const uint8_t *const bytes = packed;
    const uint16_t *const halves = packed;
    const uint32_t *const words = packed;
    const uint64_t *const longs = packed;
    switch (width) {
    case 0:
        for (size_t i = 0; i < count; i++)
            values[i * stride] = base;
        break;
    case 1:
        for (size_t i = 0; i < count; i++)
            values[i * stride] = base + bytes[i];
        break;
    case 2:
        for (size_t i = 0; i < count; i++)
            values[i * stride] = base + halves[i];
        break;
    case 4:
        for (size_t i = 0; i < count; i++)
            values[i * stride] = base + words[i];
        break;
    default:
        for (size_t i = 0; i < count; i++)
            values[i * stride] = base + longs[i];
    }
}
