/* Grouped accumulators. Neighbouring rows may share a group, so rows are added one after the other;
 * what can be saved is the branch on NULL: words that are all valid have none, in mixed ones a NULL
 * row adds the neutral value. */
#include "kernels/vec/vec.h"

static inline int64_t *state_at(void *states, size_t stride, uint32_t group) {
    return (int64_t *)(void *)((char *)states + group * stride);
}

static inline int64_t wrapping_add(int64_t a, int64_t b) {
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

void ORIEL_FN(group_count)(const uint32_t *restrict group, const uint64_t *restrict valid,
                           size_t count, void *restrict states, size_t stride) {
    for (size_t first = 0; first < count; first += 64) {
        const size_t used = count - first < 64 ? count - first : 64;
        const uint64_t rows = bits_valid_word(valid, first / 64, count);
        for (size_t i = 0; i < used; i++) {
            int64_t *const state = state_at(states, stride, group[first + i]);
            *state = wrapping_add(*state, (int64_t)(rows >> i & 1));
        }
    }
}

static inline void add_i32_row(const uint32_t *group, int64_t value, void *states, size_t stride) {
    int64_t *const state = state_at(states, stride, *group);
    *state = wrapping_add(*state, value);
}

void ORIEL_FN(group_add_i32)(const uint32_t *restrict group, const int32_t *restrict values,
                             const uint64_t *restrict valid, size_t count, void *restrict states,
                             size_t stride) {
    for (size_t first = 0; first < count; first += 64) {
        const size_t used = count - first < 64 ? count - first : 64;
        const uint64_t rows = bits_valid_word(valid, first / 64, count);
        const uint32_t *const groups = group + first;
        const int32_t *const value = values + first;
        if (rows == bits_below(used)) {
            for (size_t i = 0; i < used; i++)
                add_i32_row(groups + i, value[i], states, stride);
            continue;
        }
        for (size_t i = 0; i < used; i++)
            add_i32_row(groups + i, (rows >> i & 1) != 0 ? value[i] : 0, states, stride);
    }
}

static inline void add_i64_row(const uint32_t *group, int64_t value, void *states, size_t stride) {
    int64_t *const state = state_at(states, stride, *group);
    *state = wrapping_add(*state, value);
}

void ORIEL_FN(group_add_i64)(const uint32_t *restrict group, const int64_t *restrict values,
                             const uint64_t *restrict valid, size_t count, void *restrict states,
                             size_t stride) {
    for (size_t first = 0; first < count; first += 64) {
        const size_t used = count - first < 64 ? count - first : 64;
        const uint64_t rows = bits_valid_word(valid, first / 64, count);
        const uint32_t *const groups = group + first;
        const int64_t *const value = values + first;
        if (rows == bits_below(used)) {
            for (size_t i = 0; i < used; i++)
                add_i64_row(groups + i, value[i], states, stride);
            continue;
        }
        for (size_t i = 0; i < used; i++)
            add_i64_row(groups + i, (rows >> i & 1) != 0 ? value[i] : 0, states, stride);
    }
}

static inline void min_i64_row(const uint32_t *group, int64_t value, void *states, size_t stride) {
    int64_t *const state = state_at(states, stride, *group);
    *state = value < *state ? value : *state;
}

void ORIEL_FN(group_min_i64)(const uint32_t *restrict group, const int64_t *restrict values,
                             const uint64_t *restrict valid, size_t count, void *restrict states,
                             size_t stride) {
    for (size_t first = 0; first < count; first += 64) {
        const size_t used = count - first < 64 ? count - first : 64;
        const uint64_t rows = bits_valid_word(valid, first / 64, count);
        const uint32_t *const groups = group + first;
        const int64_t *const value = values + first;
        if (rows == bits_below(used)) {
            for (size_t i = 0; i < used; i++)
                min_i64_row(groups + i, value[i], states, stride);
            continue;
        }
        for (size_t i = 0; i < used; i++)
            min_i64_row(groups + i, (rows >> i & 1) != 0 ? value[i] : INT64_MAX, states, stride);
    }
}

static inline void max_i64_row(const uint32_t *group, int64_t value, void *states, size_t stride) {
    int64_t *const state = state_at(states, stride, *group);
    *state = value > *state ? value : *state;
}

void ORIEL_FN(group_max_i64)(const uint32_t *restrict group, const int64_t *restrict values,
                             const uint64_t *restrict valid, size_t count, void *restrict states,
                             size_t stride) {
    for (size_t first = 0; first < count; first += 64) {
        const size_t used = count - first < 64 ? count - first : 64;
        const uint64_t rows = bits_valid_word(valid, first / 64, count);
        const uint32_t *const groups = group + first;
        const int64_t *const value = values + first;
        if (rows == bits_below(used)) {
            for (size_t i = 0; i < used; i++)
                max_i64_row(groups + i, value[i], states, stride);
            continue;
        }
        for (size_t i = 0; i < used; i++)
            max_i64_row(groups + i, (rows >> i & 1) != 0 ? value[i] : INT64_MIN, states, stride);
    }
}
