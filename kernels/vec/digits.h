#pragma once

/* Eight ASCII characters in one word, the first in the lowest byte. */

#include <stdint.h>

#define DIGITS_ZEROS UINT64_C(0x3030303030303030)

/* Whether every byte is '0' to '9': the high nibble is 3, and still is with 6 added. */
static inline int digits_valid8(uint64_t chunk) {
    const uint64_t high = chunk & UINT64_C(0xF0F0F0F0F0F0F0F0);
    const uint64_t carried = (chunk + UINT64_C(0x0606060606060606)) & UINT64_C(0xF0F0F0F0F0F0F0F0);
    return ((high ^ DIGITS_ZEROS) | (carried ^ DIGITS_ZEROS)) == 0;
}

/* The number that eight valid digits spell: pairs, then fours, then all, one multiplication each.
 * 2561 = 10 * 256 + 1, 6553601 = 100 * 65536 + 1, 42949672960001 = 10000 * 2^32 + 1. */
static inline uint32_t digits_value8(uint64_t chunk) {
    chunk = ((chunk & UINT64_C(0x0F0F0F0F0F0F0F0F)) * 2561) >> 8;
    chunk = ((chunk & UINT64_C(0x00FF00FF00FF00FF)) * 6553601) >> 16;
    return (uint32_t)(((chunk & UINT64_C(0x0000FFFF0000FFFF)) * UINT64_C(42949672960001)) >> 32);
}

/* The first `count` (1 to 8) characters moved to the end, zeros before them. */
static inline uint64_t digits_align8(uint64_t chunk, unsigned count) {
    const unsigned shift = 64 - 8 * count;
    return chunk << shift | (DIGITS_ZEROS & ((UINT64_C(1) << shift) - 1));
}
