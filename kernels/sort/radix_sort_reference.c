/* Reference of the sort: a bottom-up merge sort, stable like the radix sort it specifies. */
#include "kernels/isa_kernels.h"

#include <string.h>

struct pairs {
    uint64_t *keys;
    uint32_t *payload;
};

static void merge(struct pairs from, size_t left, size_t middle, size_t end, struct pairs to) {
    size_t right = middle;
    for (size_t i = left; i < end; i++) {
        const size_t take = left < middle && (right >= end || from.keys[left] <= from.keys[right])
                                ? left++
                                : right++;
        to.keys[i] = from.keys[take];
        to.payload[i] = from.payload[take];
    }
}

void oriel_radix_sort_u64_reference(uint64_t *restrict keys, uint32_t *restrict payload,
                                    size_t count, uint64_t *restrict scratch_keys,
                                    uint32_t *restrict scratch_payload) {
    struct pairs from = {keys, payload};
    struct pairs to = {scratch_keys, scratch_payload};
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t left = 0; left < count; left += 2 * width) {
            const size_t middle = left + width < count ? left + width : count;
            const size_t end = middle + width < count ? middle + width : count;
            merge(from, left, middle, end, to);
        }
        const struct pairs swap = from;
        from = to;
        to = swap;
    }
    if (from.keys != keys) {
        memcpy(keys, from.keys, count * sizeof *keys);
        memcpy(payload, from.payload, count * sizeof *payload);
    }
}
