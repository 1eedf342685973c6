/* Bitmaps: validity and selection words, bit i of word i / 64 belongs to row i. */
#pragma once

#include <stddef.h>
#include <stdint.h>

static inline size_t oriel_bits_word_count(size_t bit_count) {
    return (bit_count + 63) / 64;
}

/* A NULL bitmap means that all bits are set. */
static inline int oriel_bits_get(const uint64_t *words, size_t index) {
    return !words || ((words[index / 64] >> (index % 64)) & 1);
}

static inline void oriel_bits_set(uint64_t *words, size_t index) {
    words[index / 64] |= UINT64_C(1) << (index % 64);
}

static inline void oriel_bits_clear(uint64_t *words, size_t index) {
    words[index / 64] &= ~(UINT64_C(1) << (index % 64));
}

/* Ones for the low `count` bits of a word, count 0 to 64. */
static inline uint64_t oriel_bits_low(size_t count) {
    return count >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1;
}
