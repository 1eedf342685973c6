/* Partitions rows by the top bits of their hashes. Two histograms, for even and odd rows, keep
 * equal neighbours from waiting for each other's count. */
#include "kernels/vec/vec.h"

enum { PARTITION_COUNT_MAX = 1 << 12 };

void ORIEL_FN(partition_u64)(const uint64_t *restrict hash, size_t count, unsigned bits,
                             uint32_t *restrict offsets, uint32_t *restrict rows) {
    const unsigned shift = 64 - bits;
    const size_t partitions = (size_t)1 << bits;
    uint32_t next[PARTITION_COUNT_MAX]; /* counts of even rows, then the next place */
    uint32_t odd[PARTITION_COUNT_MAX];
    memset(next, 0, partitions * sizeof *next);
    memset(odd, 0, partitions * sizeof *odd);
    size_t i = 0;
    for (; i + 2 <= count; i += 2) {
        next[hash[i] >> shift]++;
        odd[hash[i + 1] >> shift]++;
    }
    if (i < count)
        next[hash[i] >> shift]++;

    uint32_t place = 0;
    for (size_t p = 0; p < partitions; p++) {
        const uint32_t size = next[p] + odd[p];
        offsets[p] = place;
        next[p] = place;
        place += size;
    }
    offsets[partitions] = place;
    for (i = 0; i < count; i++)
        rows[next[hash[i] >> shift]++] = (uint32_t)i;
}
