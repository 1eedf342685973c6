#pragma once

/* Operations on 64-bit words that the kernels need besides vectors. Defined for every input, where
 * the builtins are not. */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Number of the lowest set bit; some number below 65 for 0. Never a branch: the compiler would turn
 * the test of a written-out conditional into one for each bit of a loop. */
static inline unsigned bits_lowest(uint64_t bits) {
#if defined(__BMI__)
    return (unsigned)__builtin_ia32_tzcnt_u64(bits);
#else
    return (unsigned)__builtin_ctzll(bits | UINT64_C(1) << 63);
#endif
}

static inline unsigned bits_count(uint64_t bits) {
    return (unsigned)__builtin_popcountll(bits);
}

/* Bits 0 to count - 1, count <= 64. */
static inline uint64_t bits_below(size_t count) {
    return count >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1;
}

/* Bit i of the result: the parity of bits 0 to i. Six shifts; no x86-64 level has CLMUL. */
static inline uint64_t bits_prefix_xor(uint64_t bits) {
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    bits ^= bits << 32;
    return bits;
}

/* Unaligned little-endian loads and stores; every supported machine is little-endian. */
static inline uint64_t bits_load_u64(const void *from) {
    uint64_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline uint32_t bits_load_u32(const void *from) {
    uint32_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

/* Word `index` of a validity bitmap of count rows, bits past count clear; NULL: all valid. */
static inline uint64_t bits_valid_word(const uint64_t *valid, size_t index, size_t count) {
    const uint64_t used = bits_below(count - index * 64);
    return valid == NULL ? used : valid[index] & used;
}

/* Writes base + the number of each set bit, ascending, and returns the pointer past the last one.
 * May write up to 64 entries in all. Eight at a time: the count of set bits is seldom a surprise to
 * the branch predictor at this grain. */
static inline uint32_t *bits_write_numbers(uint32_t *to, uint64_t bits, uint32_t base) {
    uint32_t *const end = to + bits_count(bits);
    do {
        for (int k = 0; k < 8; k++) {
            to[k] = base + bits_lowest(bits);
            bits &= bits - 1;
        }
        to += 8;
    } while (bits != 0);
    return end;
}
