/* Grouped accumulators. Neighbouring rows may share a group, so rows are added one after the other;
 * what can be saved is the branch on NULL: words that are all valid have none, mixed ones are
 * walked by their set bits. Words of one group, as without keys, are summed up first: row by row,
 * each would wait for the one before. */
#include <stdbool.h>

#include "kernels/group/sum_run.h"
#include "kernels/vec/vec.h"

static inline int64_t *state_at(void *states, size_t stride, uint32_t group) {
    return (int64_t *)(void *)((char *)states + group * stride);
}

static inline int64_t wrapping_add(int64_t a, int64_t b) {
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* Whether 64 rows have one group; most often the last row denies it. */
static inline bool is_one_group(const uint32_t *group) {
    uint32_t difference = 0;
    if (group[0] != group[63])
        return false;
    for (size_t i = 0; i < 64; i++)
        difference |= group[i] ^ group[0];
    return difference == 0;
}

static inline void count_rows(const uint32_t *group, int64_t rows, void *states, size_t stride) {
    int64_t *const state = state_at(states, stride, *group);
    *state = wrapping_add(*state, rows);
}

static inline void sum_rows(const uint32_t *group, int64_t sum, int64_t rows, void *states,
                            size_t stride) {
    int64_t *const state = state_at(states, stride, *group);
    state[0] = wrapping_add(state[0], sum);
    state[1] = wrapping_add(state[1], rows);
}

static inline void count_row(const uint32_t *group, void *states, size_t stride) {
    count_rows(group, 1, states, stride);
}

static inline void sum_row(const uint32_t *group, int64_t value, void *states, size_t stride) {
    sum_rows(group, value, 1, states, stride);
}

void ORIEL_FN(group_count)(const uint32_t *restrict group, const uint64_t *restrict valid,
                           size_t count, void *restrict states, size_t stride) {
    for (size_t first = 0; first < count; first += 64) {
        const size_t used = count - first < 64 ? count - first : 64;
        uint64_t rows = bits_valid_word(valid, first / 64, count);
        const uint32_t *const groups = group + first;
        if (rows == ~UINT64_C(0) && is_one_group(groups)) {
            count_rows(groups, 64, states, stride);
            continue;
        }
        if (rows == bits_below(used)) {
            for (size_t i = 0; i < used; i++)
                count_row(groups + i, states, stride);
            continue;
        }
        for (; rows != 0; rows &= rows - 1)
            count_row(groups + bits_lowest(rows), states, stride);
    }
}

void ORIEL_FN(group_sum_i32)(const uint32_t *restrict group, const int32_t *restrict values,
                             const uint64_t *restrict valid, size_t count, void *restrict states,
                             size_t stride) {
    for (size_t first = 0; first < count; first += 64) {
        const size_t used = count - first < 64 ? count - first : 64;
        uint64_t rows = bits_valid_word(valid, first / 64, count);
        const uint32_t *const groups = group + first;
        const int32_t *const value = values + first;
        if (rows == ~UINT64_C(0) && is_one_group(groups)) {
            sum_rows(groups, (int64_t)sum_run_i32(value), 64, states, stride);
            continue;
        }
        if (rows == bits_below(used)) {
            for (size_t i = 0; i < used; i++)
                sum_row(groups + i, value[i], states, stride);
            continue;
        }
        for (; rows != 0; rows &= rows - 1) {
            const unsigned i = bits_lowest(rows);
            sum_row(groups + i, value[i], states, stride);
        }
    }
}

void ORIEL_FN(group_sum_i64)(const uint32_t *restrict group, const int64_t *restrict values,
                             const uint64_t *restrict valid, size_t count, void *restrict states,
                             size_t stride) {
    for (size_t first = 0; first < count; first += 64) {
        const size_t used = count - first < 64 ? count - first : 64;
        uint64_t rows = bits_valid_word(valid, first / 64, count);
        const uint32_t *const groups = group + first;
        const int64_t *const value = values + first;
        if (rows == ~UINT64_C(0) && is_one_group(groups)) {
            sum_rows(groups, (int64_t)sum_run_i64(value), 64, states, stride);
            continue;
        }
        if (rows == bits_below(used)) {
            for (size_t i = 0; i < used; i++)
                sum_row(groups + i, value[i], states, stride);
            continue;
        }
        for (; rows != 0; rows &= rows - 1) {
            const unsigned i = bits_lowest(rows);
            sum_row(groups + i, value[i], states, stride);
        }
    }
}

static inline void min_i64_row(const uint32_t *group, int64_t value, void *states, size_t stride) {
    int64_t *const state = state_at(states, stride, *group);
    if (value < *state) /* seldom, once a group has seen some rows */
        *state = value;
}

void ORIEL_FN(group_min_i64)(const uint32_t *restrict group, const int64_t *restrict values,
                             const uint64_t *restrict valid, size_t count, void *restrict states,
                             size_t stride) {
    for (size_t first = 0; first < count; first += 64) {
        const size_t used = count - first < 64 ? count - first : 64;
        uint64_t rows = bits_valid_word(valid, first / 64, count);
        const uint32_t *const groups = group + first;
        const int64_t *const value = values + first;
        if (rows == bits_below(used)) {
            for (size_t i = 0; i < used; i++)
                min_i64_row(groups + i, value[i], states, stride);
            continue;
        }
        for (; rows != 0; rows &= rows - 1) {
            const unsigned i = bits_lowest(rows);
            min_i64_row(groups + i, value[i], states, stride);
        }
    }
}

static inline void max_i64_row(const uint32_t *group, int64_t value, void *states, size_t stride) {
    int64_t *const state = state_at(states, stride, *group);
    if (value > *state) /* seldom, once a group has seen some rows */
        *state = value;
}

void ORIEL_FN(group_max_i64)(const uint32_t *restrict group, const int64_t *restrict values,
                             const uint64_t *restrict valid, size_t count, void *restrict states,
                             size_t stride) {
    for (size_t first = 0; first < count; first += 64) {
        const size_t used = count - first < 64 ? count - first : 64;
        uint64_t rows = bits_valid_word(valid, first / 64, count);
        const uint32_t *const groups = group + first;
        const int64_t *const value = values + first;
        if (rows == bits_below(used)) {
            for (size_t i = 0; i < used; i++)
                max_i64_row(groups + i, value[i], states, stride);
            continue;
        }
        for (; rows != 0; rows &= rows - 1) {
            const unsigned i = bits_lowest(rows);
            max_i64_row(groups + i, value[i], states, stride);
        }
    }
}

size_t ORIEL_FN(group_place)(const uint32_t *restrict ids, size_t count, uint32_t base,
                             uint8_t *restrict touched, uint32_t *restrict group) {
    size_t fresh = 0;
    for (size_t i = 0; i < count; i++) {
        group[i] = base + ids[i];
        fresh += touched[group[i]] == 0; /* no branch: every sixth row or so is the first */
        touched[group[i]] = 1;
    }
    return fresh;
}
