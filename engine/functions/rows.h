/*
 * Inside engine/functions: walking the rows of a batch, and turning BOOLEAN bytes into bits.
 */
#pragma once

#include <stdbool.h>
#include <string.h>

#include "engine/functions/expression.h"

/* Whether the result of a row matters: it is not NULL so far and its errors count. A function looks
 * at strings, and fails, only for such rows. */
static inline bool oriel_row_counts(const struct oriel_evaluation *evaluation,
                                    const struct oriel_column *out, size_t row) {
    return oriel_bits_get(out->valid, row) && oriel_bits_get(evaluation->active, row);
}

/* Bit i of the result is byte i, of eight bytes 0 or 1. */
static inline uint64_t oriel_bits_of_bytes(const uint8_t *bytes) {
    uint64_t eight;
    memcpy(&eight, bytes, 8);
    return ((eight & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080)) >> 56;
}

/* The bits of 64 bytes; the buffer must have them all. */
static inline uint64_t oriel_bits_of_block(const uint8_t *bytes) {
    uint64_t word = 0;
    for (unsigned i = 0; i < 8; i++)
        word |= oriel_bits_of_bytes(bytes + 8 * i) << (8 * i);
    return word;
}

/* Writes 64 bytes, byte i is bit i of `word`. */
static inline void oriel_block_of_bits(uint64_t word, uint8_t *bytes) {
    for (unsigned i = 0; i < 8; i++) {
        uint64_t eight = ((word >> (8 * i)) & 0xff) * UINT64_C(0x0101010101010101);
        eight &= UINT64_C(0x8040201008040201);
        eight = ((eight + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7) & UINT64_C(0x0101010101010101);
        memcpy(bytes + 8 * i, &eight, 8);
    }
}
