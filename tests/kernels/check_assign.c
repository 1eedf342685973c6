/* Checks of window assignment. */
#include "tests/kernels/check.h"

#include <string.h>

enum { SLOT_VALUES, SLOT_VALID, SLOT_OUT_A, SLOT_OUT_B };

void check_min_max_i64(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        const int64_t *values;
        for (size_t kind = 0; (values = check_i64(check, SLOT_VALUES, kind, count)); kind++) {
            const uint64_t *valid;
            for (size_t nulls = 0; check_validity(check, SLOT_VALID, nulls, count, &valid);
                 nulls++) {
                int64_t want[2];
                int64_t have[2];
                check->reference->min_max_i64(values, valid, count, want);
                check->tested->min_max_i64(values, valid, count, have);
                check_same(check, "least and greatest", count, want, have, sizeof want[0], 2);
            }
        }
    }
}

static void compare_floor(struct check *check, const int64_t *time, size_t count, int64_t size,
                          int64_t offset) {
    int64_t *const want = check_place(check, SLOT_OUT_A, count * sizeof *want, 0);
    int64_t *const have = check_place(check, SLOT_OUT_B, count * sizeof *have, 0);
    check->reference->floor_i64(time, count, size, offset, want);
    check->tested->floor_i64(time, count, size, offset, have);
    check_same(check, "start", count, want, have, sizeof *want, count);
}

/* Times around the places where a fast path could go wrong: multiples of the size, the limits of
 * the double path, the ends of int64, and steps that leave a window now and then. */
static const int64_t *edge_times(struct check *check, size_t kind, size_t count, int64_t size,
                                 int64_t offset) {
    static const int64_t centres[] = {0,
                                      -1,
                                      INT64_C(1700000000000),
                                      INT64_C(-62167219200000),
                                      INT64_C(1) << 48,
                                      INT64_C(1) << 49,
                                      -(INT64_C(1) << 49),
                                      INT64_C(1) << 51,
                                      INT64_C(1) << 52,
                                      -(INT64_C(1) << 52),
                                      INT64_C(1) << 61,
                                      -(INT64_C(1) << 61),
                                      INT64_MAX,
                                      INT64_MIN};
    if (kind >= 3 * sizeof centres / sizeof centres[0])
        return NULL;
    int64_t *const values = check_place(check, SLOT_VALUES, count * sizeof *values, 0);
    const uint64_t centre = (uint64_t)centres[kind / 3];
    uint64_t running = centre;
    for (size_t i = 0; i < count; i++) {
        const uint64_t random = check_random(check);
        const uint64_t near = random % 5 - 2;
        const uint64_t multiple = (random >> 32) % 8 * (uint64_t)size + (uint64_t)offset;
        running += (uint64_t)size / 40 + near + 2;
        if (kind % 3 == 0)
            values[i] = (int64_t)(centre + near);
        else if (kind % 3 == 1)
            values[i] = (int64_t)(centre - centre % (uint64_t)size + multiple + near);
        else
            values[i] = (int64_t)running;
    }
    return values;
}

void check_floor_i64(struct check *check) {
    static const int64_t sizes[] = {1,
                                    2,
                                    3,
                                    7,
                                    1000,
                                    600000,
                                    86400000,
                                    INT64_C(2678400000),
                                    (INT64_C(1) << 49) - 1,
                                    INT64_C(1) << 49,
                                    INT64_C(1) << 61,
                                    INT64_MAX};
    static const int64_t offsets[] = {0, 1, -1, 500, -28800000, INT64_MAX, INT64_MIN};
    const size_t cases = sizeof sizes / sizeof sizes[0] * (sizeof offsets / sizeof offsets[0]);
    static const size_t counts[] = {64, 65, 128, 200};
    for (size_t c = 0; c < cases && check->failures == 0; c++) {
        const int64_t size = sizes[c % (sizeof sizes / sizeof sizes[0])];
        const int64_t offset = offsets[c / (sizeof sizes / sizeof sizes[0])];
        const int64_t *time;
        const size_t count = counts[c % 4];
        for (size_t kind = 0; (time = edge_times(check, kind, count, size, offset)); kind++)
            compare_floor(check, time, count, size, offset);
    }
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        const int64_t *time;
        for (size_t kind = 0; (time = check_i64(check, SLOT_VALUES, kind, count)); kind++) {
            compare_floor(check, time, count, sizes[step % 12], offsets[step % 7]);
            compare_floor(check, time, count, 1 + (int64_t)check_below(check, 1000000),
                          (int64_t)check_below(check, 1000000) - 500000);
        }
    }
}

/* Stretches around values of the column, up to the longest. */
void check_within_prefix_i64(struct check *check) {
    static const uint64_t lengths[] = {1, 1000, UINT64_C(1) << 63, UINT64_MAX};
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        const int64_t *values;
        for (size_t kind = 0; (values = check_i64(check, SLOT_VALUES, kind, count)); kind++) {
            for (size_t l = 0; count && l < sizeof lengths / sizeof lengths[0]; l++) {
                const uint64_t before = check_random(check) % lengths[l];
                const int64_t begin =
                    (int64_t)((uint64_t)values[check_below(check, count)] - before);
                for (size_t first = 0; first < count && first < 3; first++)
                    check_same_number(check, "prefix", count - first,
                                      check->reference->within_prefix_i64(
                                          values + first, count - first, begin, lengths[l]),
                                      check->tested->within_prefix_i64(
                                          values + first, count - first, begin, lengths[l]));
            }
        }
    }
    int64_t *const time = check_place(check, SLOT_VALUES, 200 * sizeof *time, 0);
    for (size_t stray = 0; stray <= 200; stray++) { /* one row that ends the stretch */
        for (size_t i = 0; i < 200; i++)
            time[i] = 5000 + (int64_t)check_below(check, 1000);
        if (stray < 200)
            time[stray] = check_below(check, 2) ? 6000 : 4999;
        check_same_number(check, "prefix", 200, stray,
                          check->tested->within_prefix_i64(time, 200, 5000, 1000));
    }
}
