/*
 * Random numbers by counter: a value depends on seed, stream and index alone, so rows can be made
 * in any order. The mixer is the finaliser of SplitMix64 (Steele, Lea, Flood, 2014).
 */
#pragma once

#include <stdint.h>

static inline uint64_t datagen_mix(uint64_t value) {
    value += UINT64_C(0x9E3779B97F4A7C15);
    value = (value ^ (value >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94D049BB133111EB);
    return value ^ (value >> 31);
}

static inline uint64_t datagen_random(uint64_t seed, uint64_t stream, uint64_t index) {
    return datagen_mix(datagen_mix(seed ^ (stream << 56)) ^ index * UINT64_C(0xD1342543DE82EF95));
}

/* 0 .. bound - 1, by the high half of a product. */
static inline uint64_t datagen_below(uint64_t random, uint64_t bound) {
    return (uint64_t)(((unsigned __int128)random * bound) >> 64);
}
