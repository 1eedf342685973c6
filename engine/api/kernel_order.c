/*
 * Tier 1: order, sessions and groups of rows, in memory that the caller lends.
 */
#include <string.h>

#include "engine/api/kernel_call.h"

enum { SCRATCH_ROW_BYTES = 24, SCRATCH_FIXED_BYTES = 1024, HASH_ROWS = 256, PLACES_MIN = 64 };

/* The arrays of a sort, one behind the other: each begins at a multiple of 8 bytes. */
struct sort_scratch {
    uint64_t *words;
    uint64_t *other_words;
    uint32_t *other_rows;
};

static struct sort_scratch split_scratch(void *scratch, size_t count) {
    uint64_t *words = scratch;
    return (struct sort_scratch){words, words + count, (uint32_t *)(words + 2 * count)};
}

size_t oriel_kernel_scratch_bytes(size_t count) {
    return count <= (SIZE_MAX - SCRATCH_FIXED_BYTES) / SCRATCH_ROW_BYTES
               ? count * SCRATCH_ROW_BYTES + SCRATCH_FIXED_BYTES
               : SIZE_MAX;
}

/* By time first, then stably by key. */
static void sort_rows(const struct oriel_kernels *kernels, const int64_t *time_ms,
                      const uint32_t *keys, size_t count, struct sort_scratch scratch,
                      uint32_t *permutation) {
    for (size_t i = 0; i < count; i++) {
        scratch.words[i] = (uint64_t)time_ms[i] ^ UINT64_C(1) << 63;
        permutation[i] = (uint32_t)i;
    }
    kernels->radix_sort_u64(scratch.words, permutation, count, scratch.other_words,
                            scratch.other_rows);
    if (!keys)
        return;
    for (size_t i = 0; i < count; i++)
        scratch.words[i] = keys[permutation[i]];
    kernels->radix_sort_u64(scratch.words, permutation, count, scratch.other_words,
                            scratch.other_rows);
}

enum oriel_status oriel_kernel_sort(const char *isa, const int64_t *time_ms, const uint32_t *keys,
                                    size_t count, void *scratch, uint32_t *permutation,
                                    struct oriel_error *error) {
    const struct oriel_kernels *kernels = NULL;
    ORIEL_TRY(oriel_kernel_find_for(isa, count, &kernels, error));
    if (count)
        sort_rows(kernels, time_ms, keys, count, split_scratch(scratch, count), permutation);
    return ORIEL_OK;
}

static enum oriel_status check_gap(int64_t gap_ms, struct oriel_error *error) {
    return gap_ms > 0 ? ORIEL_OK
                      : oriel_error_set(error, ORIEL_ARGUMENT, "gap_ms must be positive");
}

enum oriel_status oriel_kernel_session_breaks(const char *isa, const int64_t *time_ms,
                                              const uint32_t *keys, size_t count, int64_t gap_ms,
                                              uint64_t *breaks, size_t *session_count,
                                              struct oriel_error *error) {
    const struct oriel_kernels *kernels = NULL;
    ORIEL_TRY(oriel_kernel_find(isa, &kernels, error));
    ORIEL_TRY(check_gap(gap_ms, error));
    *session_count = count ? kernels->session_breaks(time_ms, keys, count, gap_ms, breaks) : 0;
    return ORIEL_OK;
}

/* Numbers the sessions of sorted rows and gives each row its number. */
static size_t number_sessions(const int64_t *times, const uint64_t *breaks, const uint32_t *order,
                              size_t count, int64_t gap_ms, uint32_t *ids, int64_t *start_ms,
                              int64_t *end_ms) {
    size_t session_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (breaks[i / 64] >> (i % 64) & 1) {
            if (start_ms)
                start_ms[session_count] = times[i];
            session_count++;
        }
        ids[order[i]] = (uint32_t)(session_count - 1);
        if (end_ms)
            end_ms[session_count - 1] = (int64_t)((uint64_t)times[i] + (uint64_t)gap_ms);
    }
    return session_count;
}

enum oriel_status oriel_kernel_session_ids(const char *isa, const int64_t *time_ms,
                                           const uint32_t *keys, size_t count, int64_t gap_ms,
                                           void *scratch, uint32_t *ids, int64_t *start_ms,
                                           int64_t *end_ms, size_t *session_count,
                                           struct oriel_error *error) {
    const struct oriel_kernels *kernels = NULL;
    ORIEL_TRY(oriel_kernel_find_for(isa, count, &kernels, error));
    ORIEL_TRY(check_gap(gap_ms, error));
    *session_count = 0;
    if (!count)
        return ORIEL_OK;
    const struct sort_scratch split = split_scratch(scratch, count);
    uint32_t *order = split.other_rows + count; /* the last 4 bytes a row */
    sort_rows(kernels, time_ms, keys, count, split, order);
    int64_t *times = (int64_t *)split.words;
    uint32_t *sorted_keys = split.other_rows;
    for (size_t i = 0; i < count; i++) {
        times[i] = time_ms[order[i]];
        sorted_keys[i] = keys ? keys[order[i]] : 0;
    }
    kernels->session_breaks(times, keys ? sorted_keys : NULL, count, gap_ms, split.other_words);
    *session_count =
        number_sessions(times, split.other_words, order, count, gap_ms, ids, start_ms, end_ms);
    return ORIEL_OK;
}

/* Finds the group of a key in places[], or makes it; a place holds a group's first row plus 1, and
 * the group's number is that row's. */
static uint32_t find_group(const int64_t *keys, uint32_t *places, size_t mask, size_t place,
                           uint32_t row, uint32_t *ids, uint32_t *first_rows, size_t *group_count) {
    for (;; place = (place + 1) & mask) {
        if (!places[place]) {
            places[place] = row + 1;
            if (first_rows)
                first_rows[*group_count] = row;
            return (uint32_t)(*group_count)++;
        }
        if (keys[places[place] - 1] == keys[row])
            return ids[places[place] - 1];
    }
}

enum oriel_status oriel_kernel_group(const char *isa, const int64_t *keys, size_t count,
                                     void *scratch, uint32_t *ids, uint32_t *first_rows,
                                     size_t *group_count, struct oriel_error *error) {
    const struct oriel_kernels *kernels = NULL;
    ORIEL_TRY(oriel_kernel_find_for(isa, count, &kernels, error));
    uint32_t *places = scratch;
    unsigned bits = 6;
    while ((size_t)1 << bits < 2 * count)
        bits++;
    if (count)
        memset(places, 0, sizeof *places << bits);
    uint64_t hashes[HASH_ROWS];
    size_t found = 0;
    for (size_t begin = 0; begin < count; begin += HASH_ROWS) {
        const size_t block = count - begin < HASH_ROWS ? count - begin : HASH_ROWS;
        kernels->hash_i64(keys + begin, NULL, block, ORIEL_HASH_SET, hashes);
        for (size_t i = 0; i < block; i++)
            ids[begin + i] = find_group(keys, places, ((size_t)1 << bits) - 1,
                                        (size_t)(hashes[i] >> (64 - bits)), (uint32_t)(begin + i),
                                        ids, first_rows, &found);
    }
    *group_count = found;
    return ORIEL_OK;
}
