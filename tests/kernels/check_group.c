/* Checks of the grouped accumulators and the sums. */
#include "tests/kernels/check.h"

#include <string.h>

enum {
    SLOT_GROUP,
    SLOT_VALUES,
    SLOT_VALID,
    SLOT_STATES_A,
    SLOT_STATES_B,
    SLOT_GROUPS_A,
    SLOT_GROUPS_B
};

enum { GROUP_COUNT_MAX = 300 };

/* Groups by kind: one group, few, many, runs. */
static const uint32_t *random_groups(struct check *check, size_t kind, size_t count) {
    uint32_t *const group = check_place(check, SLOT_GROUP, count * 4, 0);
    static const uint64_t spread[] = {1, 3, GROUP_COUNT_MAX, GROUP_COUNT_MAX};
    uint32_t current = 0;
    for (size_t i = 0; i < count; i++) {
        if (kind < 3 || check_below(check, 50) == 0)
            current = (uint32_t)check_below(check, spread[kind]);
        group[i] = current;
    }
    return group;
}

typedef void group_function(const struct oriel_kernels *kernels, const uint32_t *group,
                            const void *values, const uint64_t *valid, size_t count, void *states,
                            size_t stride);

static void compare_states(struct check *check, group_function *function, const void *values,
                           size_t count) {
    static const size_t strides[] = {16, 24, 32, 40}; /* of up to two numbers */
    const uint64_t *valid;
    for (size_t nulls = 0; check_validity(check, SLOT_VALID, nulls, count, &valid); nulls++) {
        const size_t kind = check_below(check, 4);
        const uint32_t *const group = random_groups(check, kind, count);
        const size_t stride = strides[check_below(check, 4)];
        const size_t size = GROUP_COUNT_MAX * stride;
        uint64_t *const want = check_place(check, SLOT_STATES_A, size, 0);
        uint64_t *const have = check_place(check, SLOT_STATES_B, size, 0);
        for (size_t i = 0; i < size / 8; i++)
            want[i] = have[i] = check_random(check);
        function(check->reference, group, values, valid, count, want, stride);
        function(check->tested, group, values, valid, count, have, stride);
        check_same(check, "states", count, want, have, 8, size / 8);
    }
}

static void group_count(const struct oriel_kernels *kernels, const uint32_t *group,
                        const void *values, const uint64_t *valid, size_t count, void *states,
                        size_t stride) {
    (void)values;
    kernels->group_count(group, valid, count, states, stride);
}

static void group_sum_i32(const struct oriel_kernels *kernels, const uint32_t *group,
                          const void *values, const uint64_t *valid, size_t count, void *states,
                          size_t stride) {
    kernels->group_sum_i32(group, values, valid, count, states, stride);
}

static void group_sum_i64(const struct oriel_kernels *kernels, const uint32_t *group,
                          const void *values, const uint64_t *valid, size_t count, void *states,
                          size_t stride) {
    kernels->group_sum_i64(group, values, valid, count, states, stride);
}

static void group_min_i64(const struct oriel_kernels *kernels, const uint32_t *group,
                          const void *values, const uint64_t *valid, size_t count, void *states,
                          size_t stride) {
    kernels->group_min_i64(group, values, valid, count, states, stride);
}

static void group_max_i64(const struct oriel_kernels *kernels, const uint32_t *group,
                          const void *values, const uint64_t *valid, size_t count, void *states,
                          size_t stride) {
    kernels->group_max_i64(group, values, valid, count, states, stride);
}

static void check_grouped_i64(struct check *check, group_function *function) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        const int64_t *values;
        for (size_t kind = 0; (values = check_i64(check, SLOT_VALUES, kind, count)); kind++)
            compare_states(check, function, values, count);
    }
}

void check_group_count(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++)
        compare_states(check, group_count, NULL, count);
}

void check_group_sum_i32(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        const int32_t *values;
        for (size_t kind = 0; (values = check_i32(check, SLOT_VALUES, kind, count)); kind++)
            compare_states(check, group_sum_i32, values, count);
    }
}

void check_group_sum_i64(struct check *check) {
    check_grouped_i64(check, group_sum_i64);
}

void check_group_min_i64(struct check *check) {
    check_grouped_i64(check, group_min_i64);
}

void check_group_max_i64(struct check *check) {
    check_grouped_i64(check, group_max_i64);
}

void check_group_place(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        for (size_t kind = 0; kind < 4; kind++) {
            const uint32_t *const ids = random_groups(check, kind, count);
            const uint32_t base = (uint32_t)check_below(check, 100);
            const size_t places = base + GROUP_COUNT_MAX;
            uint8_t *const want = check_place(check, SLOT_STATES_A, places, 0);
            uint8_t *const have = check_place(check, SLOT_STATES_B, places, 0);
            uint32_t *const want_groups = check_place(check, SLOT_GROUPS_A, count * 4, 0);
            uint32_t *const have_groups = check_place(check, SLOT_GROUPS_B, count * 4, 0);
            for (size_t i = 0; i < places; i++)
                want[i] = have[i] = check_below(check, 2) != 0;
            check_same_number(check, "first rows", count,
                              check->reference->group_place(ids, count, base, want, want_groups),
                              check->tested->group_place(ids, count, base, have, have_groups));
            check_same(check, "touched", count, want, have, 1, places);
            check_same(check, "groups", count, want_groups, have_groups, 4, count);
        }
    }
}

void check_sum_i32(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        const int32_t *values;
        for (size_t kind = 0; (values = check_i32(check, SLOT_VALUES, kind, count)); kind++) {
            const uint64_t *valid;
            for (size_t nulls = 0; check_validity(check, SLOT_VALID, nulls, count, &valid); nulls++)
                check_same_number(check, "sum", count,
                                  (uint64_t)check->reference->sum_i32(values, valid, count),
                                  (uint64_t)check->tested->sum_i32(values, valid, count));
        }
    }
}

void check_sum_i64(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        const int64_t *values;
        for (size_t kind = 0; (values = check_i64(check, SLOT_VALUES, kind, count)); kind++) {
            const uint64_t *valid;
            for (size_t nulls = 0; check_validity(check, SLOT_VALID, nulls, count, &valid); nulls++)
                check_same_number(check, "sum", count,
                                  (uint64_t)check->reference->sum_i64(values, valid, count),
                                  (uint64_t)check->tested->sum_i64(values, valid, count));
        }
    }
}

static const unsigned PACK_WIDTHS[] = {0, 1, 2, 4, 8};

/* Any values: those that need more than `width` bytes lose their upper ones. */
void check_pack_u64(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        for (size_t kind = 0; kind < 5; kind++) {
            const uint64_t *const values = (const void *)check_i64(check, SLOT_VALUES, kind, count);
            for (size_t w = 0; w < 5; w++) {
                const unsigned width = PACK_WIDTHS[w];
                const uint64_t base = count ? values[check_below(check, count)] : 7;
                void *const want = check_place(check, SLOT_STATES_A, count * width, 0);
                void *const have = check_place(check, SLOT_STATES_B, count * width, 0);
                check->reference->pack_u64(values, count, base, width, want);
                check->tested->pack_u64(values, count, base, width, have);
                check_same(check, "packed", count, want, have, 1, count * width);
            }
        }
    }
}

void check_unpack_u64(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        for (size_t round = 0; round < 15; round++) {
            const unsigned width = PACK_WIDTHS[round % 5];
            const size_t stride = 1 + round / 5;
            const void *const packed = check_i64(check, SLOT_VALUES, 3, count);
            const uint64_t base = check_random(check);
            const size_t bytes = count * stride * 8;
            uint64_t *const want = check_place(check, SLOT_STATES_A, bytes, 0);
            uint64_t *const have = check_place(check, SLOT_STATES_B, bytes, 0);
            memset(want, 1, bytes);
            memset(have, 1, bytes);
            check->reference->unpack_u64(packed, count, base, width, stride, want);
            check->tested->unpack_u64(packed, count, base, width, stride, have);
            check_same(check, "values", count, want, have, 8, count * stride);
        }
    }
}
