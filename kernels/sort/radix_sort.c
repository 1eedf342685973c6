/* Radix sort of (key, payload) pairs, least significant byte first. Bytes that are the same in
 * every key, as the high ones of times and small numbers are, are left out, so the usual cost is
 * two to five passes, each of which counts and scatters. */
#include "kernels/vec/vec.h"

enum { DIGIT_BITS = 8, BUCKET_COUNT = 1 << DIGIT_BITS };

/* The bits that are not the same in every key. */
static inline uint64_t varying_bits(const uint64_t *restrict keys, size_t count) {
    uint64_t varying = 0;
    for (size_t i = 1; i < count; i++)
        varying |= keys[i] ^ keys[0];
    return varying;
}

/* The first places of the buckets. */
static inline void place_buckets(const uint64_t *restrict keys, size_t count, unsigned shift,
                                 uint32_t *restrict next) {
    uint32_t place = 0;
    memset(next, 0, BUCKET_COUNT * sizeof *next);
    for (size_t i = 0; i < count; i++)
        next[keys[i] >> shift & (BUCKET_COUNT - 1)]++;
    for (int b = 0; b < BUCKET_COUNT; b++) {
        const uint32_t size = next[b];
        next[b] = place;
        place += size;
    }
}

static inline void scatter(const uint64_t *restrict keys, const uint32_t *restrict payload,
                           size_t count, unsigned shift, uint32_t *restrict next,
                           uint64_t *restrict to_keys, uint32_t *restrict to_payload) {
    for (size_t i = 0; i < count; i++) {
        const uint32_t at = next[keys[i] >> shift & (BUCKET_COUNT - 1)]++;
        to_keys[at] = keys[i];
        to_payload[at] = payload[i];
    }
}

void ORIEL_FN(radix_sort_u64)(uint64_t *restrict keys, uint32_t *restrict payload, size_t count,
                              uint64_t *restrict scratch_keys, uint32_t *restrict scratch_payload) {
    const uint64_t varying = varying_bits(keys, count);
    uint32_t next[BUCKET_COUNT];
    uint64_t *from_keys = keys;
    uint32_t *from_payload = payload;
    uint64_t *to_keys = scratch_keys;
    uint32_t *to_payload = scratch_payload;
    for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
        if (!(varying >> shift & (BUCKET_COUNT - 1)))
            continue;
        place_buckets(from_keys, count, shift, next);
        scatter(from_keys, from_payload, count, shift, next, to_keys, to_payload);
        uint64_t *const swap_keys = from_keys;
        uint32_t *const swap_payload = from_payload;
        from_keys = to_keys;
        from_payload = to_payload;
        to_keys = swap_keys;
        to_payload = swap_payload;
    }
    if (from_keys != keys && count > 0) {
        memcpy(keys, from_keys, count * sizeof *keys);
        memcpy(payload, from_payload, count * sizeof *payload);
    }
}
