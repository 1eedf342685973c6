/*
 * Tier 1: every public kernel on every instruction set against plain loops, on arrays that end at
 * guard pages.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oriel/oriel.h"
#include "tests/api/guarded.h"

enum { ROWS_MAX = 2500 };

static const size_t counts[] = {0, 1, 2, 7, 63, 64, 65, 129, 1024, 1025, ROWS_MAX};

/* Calls `body` for every instruction set and count. */
static void for_all(void (*body)(const char *isa, size_t count)) {
    const char *isa;
    for (size_t i = 0; (isa = oriel_engine_isa_at(i)) != NULL; i++) {
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            body(isa, counts[c]);
            guarded_free_all();
        }
    }
}

static uint64_t next_random(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static int64_t *some_times(size_t count) {
    int64_t *times = guarded(count * sizeof *times);
    uint64_t state = count;
    for (size_t i = 0; i < count; i++)
        times[i] = (int64_t)(next_random(&state) % 2000000) - 1000000;
    return times;
}

static uint32_t *some_keys(size_t count) {
    uint32_t *keys = guarded(count * sizeof *keys);
    uint64_t state = count + 1;
    for (size_t i = 0; i < count; i++)
        keys[i] = (uint32_t)next_random(&state) % 17 * UINT32_C(0x0fffffff);
    return keys;
}

static int64_t floor_to(int64_t time, int64_t size, int64_t offset) {
    int64_t rest = (time - offset) % size;
    return time - (rest < 0 ? rest + size : rest);
}

static void check_windows(const char *isa, size_t count) {
    const int64_t *times = some_times(count);
    int64_t *starts = guarded(count * sizeof *starts);
    assert_int_equal(oriel_kernel_tumble(isa, times, count, 60000, 7, starts, NULL), ORIEL_OK);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(starts[i], floor_to(times[i], 60000, 7));
    int64_t *hops = guarded(count * 5 * sizeof *hops);
    assert_int_equal(oriel_kernel_hop(isa, times, count, 50000, 10000, -3, hops, NULL), ORIEL_OK);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < 5; j++)
            assert_int_equal(hops[i * 5 + j],
                             floor_to(times[i], 10000, -3) - (4 - (int64_t)j) * 10000);
    }
}

static void check_cumulate(const char *isa, size_t count) {
    const int64_t *times = some_times(count);
    size_t expected = 0, found = 99;
    for (size_t i = 0; i < count; i++)
        expected += (size_t)(4 - (times[i] - floor_to(times[i], 40000, 5)) / 10000);
    uint32_t *rows = guarded(count * 4 * sizeof *rows);
    int64_t *starts = guarded(count * 4 * sizeof *starts);
    int64_t *ends = guarded(count * 4 * sizeof *ends);
    assert_int_equal(
        oriel_kernel_cumulate(isa, times, count, 40000, 10000, 5, rows, starts, ends, &found, NULL),
        ORIEL_OK);
    assert_int_equal(found, expected);
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        const int64_t start = floor_to(times[i], 40000, 5);
        for (int64_t end = start + 10000; end <= start + 40000; end += 10000) {
            if (end <= times[i])
                continue;
            assert_int_equal(rows[at], i);
            assert_int_equal(starts[at], start);
            assert_int_equal(ends[at++], end);
        }
    }
}

static const int64_t *sorting_times;
static const uint32_t *sorting_keys; /* or NULL */

static int compare_rows(const void *left, const void *right) {
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    if (sorting_keys && sorting_keys[a] != sorting_keys[b])
        return sorting_keys[a] < sorting_keys[b] ? -1 : 1;
    if (sorting_times[a] != sorting_times[b])
        return sorting_times[a] < sorting_times[b] ? -1 : 1;
    return a < b ? -1 : 1;
}

/* Row numbers in order, the caller's to free by guarded_free_all. */
static uint32_t *model_order(const int64_t *times, const uint32_t *keys, size_t count) {
    uint32_t *order = guarded(count * sizeof *order);
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    sorting_times = times;
    sorting_keys = keys;
    qsort(order, count, sizeof *order, compare_rows);
    return order;
}

static void check_sort(const char *isa, size_t count) {
    const int64_t *times = some_times(count);
    const uint32_t *all_keys[] = {NULL, some_keys(count)};
    for (size_t k = 0; k < 2; k++) {
        uint32_t *order = guarded(count * sizeof *order);
        void *scratch = guarded(oriel_kernel_scratch_bytes(count));
        assert_int_equal(oriel_kernel_sort(isa, times, all_keys[k], count, scratch, order, NULL),
                         ORIEL_OK);
        const uint32_t *expected = model_order(times, all_keys[k], count);
        assert_memory_equal(order, expected, count * sizeof *order);
    }
}

static void check_sessions(const char *isa, size_t count) {
    const int64_t *times = some_times(count), gap = 3000;
    const uint32_t *all_keys[] = {NULL, some_keys(count)};
    for (size_t k = 0; k < 2; k++) {
        const uint32_t *keys = all_keys[k];
        uint32_t *ids = guarded(count * sizeof *ids);
        int64_t *starts = guarded(count * sizeof *starts), *ends = guarded(count * sizeof *ends);
        void *scratch = guarded(oriel_kernel_scratch_bytes(count));
        size_t found = 99, expected = 0;
        assert_int_equal(oriel_kernel_session_ids(isa, times, keys, count, gap, scratch, ids,
                                                  starts, ends, &found, NULL),
                         ORIEL_OK);
        const uint32_t *order = model_order(times, keys, count);
        for (size_t i = 0; i < count; i++) {
            const uint32_t row = order[i], before = order[i ? i - 1 : 0];
            if (i == 0 || (keys && keys[row] != keys[before]) || times[row] - times[before] > gap)
                assert_int_equal(starts[expected++], times[row]);
            assert_int_equal(ids[row], expected - 1);
            assert_true(ends[expected - 1] >= times[row] + gap);
            if (i + 1 == count || ids[order[i + 1]] != ids[row])
                assert_int_equal(ends[expected - 1], times[row] + gap);
        }
        assert_int_equal(found, expected);
    }
}

static void check_breaks(const char *isa, size_t count) {
    int64_t *times = guarded(count * sizeof *times);
    uint64_t *breaks = guarded((count + 63) / 64 * sizeof *breaks);
    size_t found = 99, expected = 0;
    for (size_t i = 0; i < count; i++)
        times[i] = (int64_t)i * 10 + (int64_t)(i / 3) * 100;
    assert_int_equal(oriel_kernel_session_breaks(isa, times, NULL, count, 50, breaks, &found, NULL),
                     ORIEL_OK);
    for (size_t i = 0; i < count; i++) {
        expected += i % 3 == 0;
        assert_int_equal(breaks[i / 64] >> (i % 64) & 1, i % 3 == 0);
    }
    assert_int_equal(found, expected);
}

static void check_group(const char *isa, size_t count) {
    int64_t *keys = guarded(count * sizeof *keys);
    uint64_t state = count;
    for (size_t i = 0; i < count; i++)
        keys[i] = count % 2 ? (int64_t)(next_random(&state) % 40) - 20 : -(int64_t)i;
    uint32_t *ids = guarded(count * sizeof *ids), *firsts = guarded(count * sizeof *firsts);
    void *scratch = guarded(oriel_kernel_scratch_bytes(count));
    size_t found = 99, expected = 0;
    assert_int_equal(oriel_kernel_group(isa, keys, count, scratch, ids, firsts, &found, NULL),
                     ORIEL_OK);
    for (size_t i = 0; i < count; i++) {
        size_t group = 0;
        while (group < expected && keys[firsts[group]] != keys[i])
            group++;
        if (group == expected)
            assert_int_equal(firsts[expected++], i);
        assert_int_equal(ids[i], group);
    }
    assert_int_equal(found, expected);
}

static const double *ranking_values;
static int ranking_sign; /* -1: greatest first */

static int compare_places(const void *left, const void *right) {
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    const double x = ranking_values[a], y = ranking_values[b];
    const int order = isnan(x) || isnan(y) ? (isnan(x) != 0) - (isnan(y) != 0) : (x > y) - (x < y);
    return order ? order * ranking_sign : a < b ? -1 : 1;
}

static void check_top(const char *isa, size_t count) {
    int64_t *whole = guarded(count * sizeof *whole);
    double *real = guarded(count * sizeof *real), *odd = guarded(count * sizeof *odd);
    uint64_t *valid = guarded((count + 63) / 64 * sizeof *valid), state = count;
    memset(valid, 0x7b, (count + 63) / 64 * sizeof *valid);
    for (size_t i = 0; i < count; i++) {
        whole[i] = (int64_t)(next_random(&state) % 1000) - 500;
        real[i] = (double)whole[i];
        odd[i] = i % 50 == 3 ? (double)NAN : i % 7 == 0 ? -0.0 : i % 7 == 1 ? 0.0 : real[i];
    }
    static const size_t limits[] = {0, 1, 5, 100, ROWS_MAX + 1};
    for (size_t run = 0; run < 5 * 2 * 2; run++) {
        const size_t n = limits[run % 5];
        const enum oriel_kernel_end end = run / 5 % 2 ? ORIEL_KERNEL_LEAST : ORIEL_KERNEL_GREATEST;
        const uint64_t *mask = run / 10 ? valid : NULL;
        uint32_t *order = guarded(count * sizeof *order);
        size_t left = 0, found = 99;
        for (size_t i = 0; i < count; i++) {
            if (!mask || (mask[i / 64] >> (i % 64) & 1))
                order[left++] = (uint32_t)i;
        }
        const size_t expected = left < n ? left : n, room = count < n ? count : n;
        uint32_t *rows = guarded(room * sizeof *rows);
        ranking_sign = end == ORIEL_KERNEL_GREATEST ? -1 : 1;
        ranking_values = real;
        qsort(order, left, sizeof *order, compare_places);
        assert_int_equal(oriel_kernel_top_i64(isa, whole, mask, count, n, end, rows, &found, NULL),
                         ORIEL_OK);
        assert_int_equal(found, expected);
        assert_memory_equal(rows, order, expected * sizeof *rows);
        ranking_values = odd;
        qsort(order, left, sizeof *order, compare_places);
        assert_int_equal(oriel_kernel_top_f64(isa, odd, mask, count, n, end, rows, &found, NULL),
                         ORIEL_OK);
        assert_int_equal(found, expected);
        assert_memory_equal(rows, order, expected * sizeof *rows);
    }
}

static void windows(void **state) {
    (void)state;
    for_all(check_windows);
    for_all(check_cumulate);
}

static void orders(void **state) {
    (void)state;
    for_all(check_sort);
    for_all(check_breaks);
    for_all(check_sessions);
}

static void groups_and_tops(void **state) {
    (void)state;
    for_all(check_group);
    for_all(check_top);
}

static void wrong_arguments(void **state) {
    (void)state;
    const int64_t time = INT64_MIN;
    int64_t start = 5;
    uint32_t row;
    uint64_t scratch[512];
    size_t found;
    struct oriel_error error;
    assert_int_equal(oriel_kernel_tumble("x", &time, 1, 1, 0, &start, &error), ORIEL_ARGUMENT);
    assert_string_equal(error.message, "there is no instruction set 'x' here");
    assert_int_equal(oriel_kernel_tumble(NULL, &time, 1, 0, 0, &start, &error), ORIEL_ARGUMENT);
    assert_int_equal(oriel_kernel_hop(NULL, &time, 1, 10, 3, 0, &start, &error), ORIEL_ARGUMENT);
    assert_string_equal(error.message, "size_ms must be a whole multiple of slide_ms");
    assert_int_equal(oriel_kernel_hop(NULL, &time, 1, 10, -2, 0, &start, NULL), ORIEL_ARGUMENT);
    assert_int_equal(
        oriel_kernel_cumulate(NULL, &time, 1, 10, 4, 0, &row, &start, &start, &found, NULL),
        ORIEL_ARGUMENT);
    assert_int_equal(
        oriel_kernel_session_ids(NULL, &time, NULL, 1, 0, scratch, &row, NULL, NULL, &found, NULL),
        ORIEL_ARGUMENT);
    assert_int_equal(
        oriel_kernel_sort(NULL, &time, NULL, ORIEL_KERNEL_COUNT_MAX + 1, scratch, &row, NULL),
        ORIEL_ARGUMENT);
    assert_int_equal(start, 5);
    assert_true(oriel_kernel_scratch_bytes(SIZE_MAX) == SIZE_MAX);
    /* The first times that there are do not trap. */
    assert_int_equal(oriel_kernel_tumble(NULL, &time, 1, 60000, 0, &start, NULL), ORIEL_OK);
    assert_int_equal(oriel_kernel_hop(NULL, &time, 1, 10, 10, 0, &start, NULL), ORIEL_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows),
        cmocka_unit_test(orders),
        cmocka_unit_test(groups_and_tops),
        cmocka_unit_test(wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
