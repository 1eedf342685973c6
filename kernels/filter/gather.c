/* Gathers by row number. Plain loops: the loads are the work, and the compiler uses the gather
 * instruction of an instruction set where that pays. */
#include "kernels/vec/vec.h"

void ORIEL_FN(gather_8)(const uint8_t *restrict values, const uint32_t *restrict indices,
                        size_t count, uint8_t *restrict out) {
    for (size_t i = 0; i < count; i++)
        out[i] = values[indices[i]];
}

void ORIEL_FN(gather_16)(const uint16_t *restrict values, const uint32_t *restrict indices,
                         size_t count, uint16_t *restrict out) {
    for (size_t i = 0; i < count; i++)
        out[i] = values[indices[i]];
}

void ORIEL_FN(gather_32)(const uint32_t *restrict values, const uint32_t *restrict indices,
                         size_t count, uint32_t *restrict out) {
    for (size_t i = 0; i < count; i++)
        out[i] = values[indices[i]];
}

void ORIEL_FN(gather_64)(const uint64_t *restrict values, const uint32_t *restrict indices,
                         size_t count, uint64_t *restrict out) {
    for (size_t i = 0; i < count; i++)
        out[i] = values[indices[i]];
}

void ORIEL_FN(gather_128)(const uint64_t *restrict values, const uint32_t *restrict indices,
                          size_t count, uint64_t *restrict out) {
    for (size_t i = 0; i < count; i++) {
        const uint64_t *const value = values + 2 * (size_t)indices[i];
        out[2 * i] = value[0];
        out[2 * i + 1] = value[1];
    }
}

void ORIEL_FN(gather_bits)(const uint64_t *restrict bits, const uint32_t *restrict indices,
                           size_t count, uint64_t *restrict out) {
    for (size_t first = 0; first < count; first += 64) {
        const size_t used = count - first < 64 ? count - first : 64;
        uint64_t word = 0;
        for (size_t i = 0; i < used; i++) {
            const uint32_t index = indices[first + i];
            word |= (bits[index / 64] >> (index % 64) & 1) << i;
        }
        out[first / 64] = word;
    }
}
