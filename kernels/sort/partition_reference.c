/* Reference of the partitioning: counts, then every row to the next place of its partition. */
#include "kernels/isa_kernels.h"

#include <string.h>

void oriel_partition_u64_reference(const uint64_t *restrict hash, size_t count, unsigned bits,
                                   uint32_t *restrict offsets, uint32_t *restrict rows) {
    const size_t partitions = (size_t)1 << bits;
    memset(offsets, 0, (partitions + 1) * sizeof *offsets);
    for (size_t i = 0; i < count; i++)
        offsets[(hash[i] >> (64 - bits)) + 1]++;
    for (size_t p = 0; p < partitions; p++)
        offsets[p + 1] += offsets[p];
    uint32_t next[1 << 12];
    memcpy(next, offsets, partitions * sizeof *next);
    for (size_t i = 0; i < count; i++)
        rows[next[hash[i] >> (64 - bits)]++] = (uint32_t)i;
}
