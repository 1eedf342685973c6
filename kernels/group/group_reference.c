/* Reference of the grouped accumulators: one row at a time. */
#include "kernels/isa_kernels.h"

static int is_valid(const uint64_t *valid, size_t i) {
    return valid == NULL || (valid[i / 64] >> (i % 64) & 1) != 0;
}

static int64_t *state_at(void *states, size_t stride, uint32_t group) {
    return (int64_t *)(void *)((char *)states + group * stride);
}

static int64_t wrapping_add(int64_t a, int64_t b) {
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

void oriel_group_count_reference(const uint32_t *restrict group, const uint64_t *restrict valid,
                                 size_t count, void *restrict states, size_t stride) {
    for (size_t i = 0; i < count; i++) {
        int64_t *const state = state_at(states, stride, group[i]);
        if (is_valid(valid, i))
            *state = wrapping_add(*state, 1);
    }
}

void oriel_group_sum_i32_reference(const uint32_t *restrict group, const int32_t *restrict values,
                                   const uint64_t *restrict valid, size_t count,
                                   void *restrict states, size_t stride) {
    for (size_t i = 0; i < count; i++) {
        int64_t *const state = state_at(states, stride, group[i]);
        if (!is_valid(valid, i))
            continue;
        state[0] = wrapping_add(state[0], values[i]);
        state[1] = wrapping_add(state[1], 1);
    }
}

void oriel_group_sum_i64_reference(const uint32_t *restrict group, const int64_t *restrict values,
                                   const uint64_t *restrict valid, size_t count,
                                   void *restrict states, size_t stride) {
    for (size_t i = 0; i < count; i++) {
        int64_t *const state = state_at(states, stride, group[i]);
        if (!is_valid(valid, i))
            continue;
        state[0] = wrapping_add(state[0], values[i]);
        state[1] = wrapping_add(state[1], 1);
    }
}

void oriel_group_min_i64_reference(const uint32_t *restrict group, const int64_t *restrict values,
                                   const uint64_t *restrict valid, size_t count,
                                   void *restrict states, size_t stride) {
    for (size_t i = 0; i < count; i++) {
        int64_t *const state = state_at(states, stride, group[i]);
        if (is_valid(valid, i) && values[i] < *state)
            *state = values[i];
    }
}

void oriel_group_max_i64_reference(const uint32_t *restrict group, const int64_t *restrict values,
                                   const uint64_t *restrict valid, size_t count,
                                   void *restrict states, size_t stride) {
    for (size_t i = 0; i < count; i++) {
        int64_t *const state = state_at(states, stride, group[i]);
        if (is_valid(valid, i) && values[i] > *state)
            *state = values[i];
    }
}

size_t oriel_group_place_reference(const uint32_t *restrict ids, size_t count, uint32_t base,
                                   uint8_t *restrict touched, uint32_t *restrict group) {
    size_t fresh = 0;
    for (size_t i = 0; i < count; i++) {
        group[i] = base + ids[i];
        if (!touched[group[i]])
            fresh++;
        touched[group[i]] = 1;
    }
    return fresh;
}
