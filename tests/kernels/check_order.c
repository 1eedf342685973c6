/* Checks of what depends on order: sessions, sortedness, sort, partition and the Top-N filter. */
#include "tests/kernels/check.h"

#include <string.h>

enum {
    SLOT_VALUES,
    SLOT_KEYS,
    SLOT_VALID,
    SLOT_OUT_A,
    SLOT_OUT_B,
    SLOT_PAYLOAD_A,
    SLOT_PAYLOAD_B,
    SLOT_SCRATCH_KEYS,
    SLOT_SCRATCH_PAYLOAD,
};

enum { ROOM_AFTER = 64, OPERATOR_COUNT = ORIEL_COMPARE_GE + 1 };

/* Times that ascend within a run of equal keys, by steps around the gap and by huge ones. */
static int64_t *session_times(struct check *check, const uint32_t *keys, size_t count,
                              int64_t gap) {
    int64_t *const time = check_place(check, SLOT_VALUES, count * sizeof *time, 0);
    int64_t current = INT64_MIN;
    for (size_t i = 0; i < count; i++) {
        if (keys != NULL && i > 0 && keys[i] != keys[i - 1])
            current = check_below(check, 2) == 0 ? INT64_MIN : (int64_t)check_random(check);
        const uint64_t left = (uint64_t)INT64_MAX - (uint64_t)current;
        const uint64_t choice = check_below(check, 64);
        uint64_t step = (uint64_t)gap + choice % 3 - 1;
        if (choice == 0)
            step = check_random(check) / 2 + left / 2;
        else if (choice < 20)
            step = check_below(check, 3);
        current = (int64_t)((uint64_t)current + (step < left ? step : left));
        time[i] = current;
    }
    return time;
}

void check_session_breaks(struct check *check) {
    static const int64_t gaps[] = {0, 1, 1800000, INT64_C(1) << 40, INT64_MAX};
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        for (size_t round = 0; round < 15; round++) {
            const int64_t gap = gaps[round % 5];
            uint32_t *keys = NULL;
            if (round >= 5) {
                keys = check_place(check, SLOT_KEYS, count * 4, 0);
                for (size_t i = 0; i < count; i++)
                    keys[i] = i > 0 && check_below(check, round >= 10 ? 2 : 100) != 0
                                  ? keys[i - 1]
                                  : (uint32_t)check_random(check);
            }
            const int64_t *const time = session_times(check, keys, count, gap);
            uint64_t *const want = check_place(check, SLOT_OUT_A, check_words(count) * 8, 0);
            uint64_t *const have = check_place(check, SLOT_OUT_B, check_words(count) * 8, 0);
            check_same_number(check, "returned", count,
                              check->reference->session_breaks(time, keys, count, gap, want),
                              check->tested->session_breaks(time, keys, count, gap, have));
            check_same(check, "breaks", count, want, have, 8, check_words(count));
        }
    }
}

void check_sorted_prefix_i64(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        int64_t *values;
        for (size_t kind = 0; (values = check_i64(check, SLOT_VALUES, kind, count)); kind++)
            check_same_number(check, "prefix", count,
                              check->reference->sorted_prefix_i64(values, count),
                              check->tested->sorted_prefix_i64(values, count));
        for (size_t at = 0; at < count && at < 130; at++) {
            values = check_i64(check, SLOT_VALUES, 3, count);
            values[count - 1 - at] -= 100;
            check_same_number(check, "prefix", count,
                              check->reference->sorted_prefix_i64(values, count),
                              check->tested->sorted_prefix_i64(values, count));
        }
    }
}

void check_radix_sort_u64(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        const int64_t *values;
        for (size_t kind = 0; (values = check_i64(check, SLOT_VALUES, kind, count)); kind++) {
            uint64_t *const want = check_place(check, SLOT_OUT_A, count * 8, 0);
            uint64_t *const have = check_place(check, SLOT_OUT_B, count * 8, 0);
            uint32_t *const want_rows = check_place(check, SLOT_PAYLOAD_A, count * 4, 0);
            uint32_t *const have_rows = check_place(check, SLOT_PAYLOAD_B, count * 4, 0);
            uint64_t *const scratch = check_place(check, SLOT_SCRATCH_KEYS, count * 8, 0);
            uint32_t *const scratch_rows = check_place(check, SLOT_SCRATCH_PAYLOAD, count * 4, 0);
            for (size_t i = 0; i < count; i++) {
                want[i] = have[i] = (uint64_t)values[i];
                want_rows[i] = have_rows[i] = (uint32_t)i;
            }
            check->reference->radix_sort_u64(want, want_rows, count, scratch, scratch_rows);
            check->tested->radix_sort_u64(have, have_rows, count, scratch, scratch_rows);
            check_same(check, "keys", count, want, have, 8, count);
            check_same(check, "payload", count, want_rows, have_rows, 4, count);
        }
    }
}

void check_partition_u64(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        for (unsigned bits = 1; bits <= 12; bits++) {
            const void *const hash = check_i64(check, SLOT_VALUES, bits % 5, count);
            const size_t offsets = ((size_t)1 << bits) + 1;
            uint32_t *const want = check_place(check, SLOT_OUT_A, offsets * 4, 0);
            uint32_t *const have = check_place(check, SLOT_OUT_B, offsets * 4, 0);
            uint32_t *const want_rows = check_place(check, SLOT_PAYLOAD_A, count * 4, 0);
            uint32_t *const have_rows = check_place(check, SLOT_PAYLOAD_B, count * 4, 0);
            check->reference->partition_u64(hash, count, bits, want, want_rows);
            check->tested->partition_u64(hash, count, bits, have, have_rows);
            check_same(check, "offsets", count, want, have, 4, offsets);
            check_same(check, "rows", count, want_rows, have_rows, 4, count);
        }
    }
}

void check_select_i64(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        for (size_t round = 0; round < 5 * 6 * OPERATOR_COUNT; round++) {
            const enum oriel_compare op = (enum oriel_compare)(round % OPERATOR_COUNT);
            const size_t kind = round / OPERATOR_COUNT % 5;
            const uint64_t *valid;
            const int64_t *const values = check_i64(check, SLOT_VALUES, kind, count);
            check_validity(check, SLOT_VALID, round / OPERATOR_COUNT / 5, count, &valid);
            const int64_t bound = count > 0 ? values[check_below(check, count)] : 0;
            uint32_t *const want = check_place(check, SLOT_OUT_A, (count + ROOM_AFTER) * 4, 0);
            uint32_t *const have = check_place(check, SLOT_OUT_B, (count + ROOM_AFTER) * 4, 0);
            const size_t selected =
                check->reference->select_i64(op, values, valid, count, bound, want);
            if (check_same_number(check, "returned", count, selected,
                                  check->tested->select_i64(op, values, valid, count, bound, have)))
                check_same(check, "indices", count, want, have, 4, selected);
        }
    }
}

void check_select_f64(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        for (size_t round = 0; round < 3 * 6 * OPERATOR_COUNT; round++) {
            const enum oriel_compare op = (enum oriel_compare)(round % OPERATOR_COUNT);
            const size_t kind = round / OPERATOR_COUNT % 3;
            const uint64_t *valid;
            const double bound = *check_f64(check, SLOT_KEYS, kind, 1);
            const double *const values = check_f64(check, SLOT_VALUES, kind, count);
            check_validity(check, SLOT_VALID, round / OPERATOR_COUNT / 3, count, &valid);
            uint32_t *const want = check_place(check, SLOT_OUT_A, (count + ROOM_AFTER) * 4, 0);
            uint32_t *const have = check_place(check, SLOT_OUT_B, (count + ROOM_AFTER) * 4, 0);
            const size_t selected =
                check->reference->select_f64(op, values, valid, count, bound, want);
            if (check_same_number(check, "returned", count, selected,
                                  check->tested->select_f64(op, values, valid, count, bound, have)))
                check_same(check, "indices", count, want, have, 4, selected);
        }
    }
}
