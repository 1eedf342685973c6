/* Radix sort of (key, payload) pairs, least significant byte first. One pass counts all eight
 * bytes; bytes that are the same in every key, as the high ones of times and small numbers are, are
 * left out, so the usual cost is two to five scatter passes. */
#include "kernels/vec/vec.h"

enum { DIGIT_COUNT = 8, BUCKET_COUNT = 256 };

static inline void scatter(const uint64_t *restrict keys, const uint32_t *restrict payload,
                           size_t count, unsigned shift, uint32_t *restrict next,
                           uint64_t *restrict to_keys, uint32_t *restrict to_payload) {
    for (size_t i = 0; i < count; i++) {
        const uint32_t at = next[keys[i] >> shift & 0xFF]++;
        to_keys[at] = keys[i];
        to_payload[at] = payload[i];
    }
}

/* Counts -> first places; returns 0 when one bucket holds everything. */
static inline int place_buckets(uint32_t *buckets, size_t count) {
    uint32_t place = 0;
    for (int b = 0; b < BUCKET_COUNT; b++) {
        const uint32_t size = buckets[b];
        if (size == count)
            return 0;
        buckets[b] = place;
        place += size;
    }
    return 1;
}

void ORIEL_FN(radix_sort_u64)(uint64_t *restrict keys, uint32_t *restrict payload, size_t count,
                              uint64_t *restrict scratch_keys, uint32_t *restrict scratch_payload) {
    uint32_t buckets[DIGIT_COUNT][BUCKET_COUNT];
    memset(buckets, 0, sizeof buckets);
    for (size_t i = 0; i < count; i++) {
        for (int d = 0; d < DIGIT_COUNT; d++)
            buckets[d][keys[i] >> (8 * d) & 0xFF]++;
    }

    uint64_t *from_keys = keys;
    uint32_t *from_payload = payload;
    uint64_t *to_keys = scratch_keys;
    uint32_t *to_payload = scratch_payload;
    for (int d = 0; d < DIGIT_COUNT; d++) {
        if (!place_buckets(buckets[d], count))
            continue;
        scatter(from_keys, from_payload, count, (unsigned)(8 * d), buckets[d], to_keys, to_payload);
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
