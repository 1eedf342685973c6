#pragma once

/* The mixing step of all hashes: a 64 x 64 -> 128 bit product folded in half (the idea of wyhash).
 * One scalar multiplication a value beats any vector sequence below AVX-512DQ, so both the
 * reference and the kernels use it. The keys are digits of pi, made odd. */

#include <stdint.h>

#define MIX_KEY_A UINT64_C(0x243F6A8885A308D3)
#define MIX_KEY_B UINT64_C(0x13198A2E03707345)
#define MIX_KEY_C UINT64_C(0xA4093822299F31D1)
#define MIX_KEY_D UINT64_C(0x082EFA98EC4E6C89)

/* The hash of NULL. */
#define MIX_NULL UINT64_C(0x452821E638D01377)

static inline uint64_t mix_fold(uint64_t a, uint64_t b) {
    const unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Depends on the order of its arguments, so (a, b) and (b, a) are different keys. */
static inline uint64_t mix_combine(uint64_t before, uint64_t value) {
    return mix_fold((before << 23 | before >> 41) ^ value, MIX_KEY_C);
}
