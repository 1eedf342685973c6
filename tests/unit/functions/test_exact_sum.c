/*
 * Exact sums: the rounded result is that of exact arithmetic, for any order and split.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/functions/exact_sum.h"

static struct oriel_memory memory;

static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static double sum_of(const double *values, size_t count) {
    struct oriel_arena arena;
    oriel_arena_init(&arena, &memory);
    struct oriel_exact_sum sum = {0};
    for (size_t i = 0; i < count; i++)
        assert_true(oriel_exact_sum_add(&sum, values[i], &arena));
    const double result = oriel_exact_sum_value(&sum);
    oriel_arena_deinit(&arena);
    return result;
}

static void assert_same(double got, double want) {
    if (memcmp(&got, &want, sizeof got) != 0 && !(isnan(got) && isnan(want)))
        fail_msg("%a, wanted %a", got, want);
}

static void test_known_sums(void **state) {
    (void)state;
    const double cancel[] = {1e308, 1e308, -1e308, -1e308, 3.5};
    assert_same(sum_of(cancel, 5), 3.5);
    const double large[] = {1e308, 1e308};
    assert_same(sum_of(large, 2), (double)INFINITY);
    const double tenths[] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
    assert_same(sum_of(tenths, 10), 1.0);
    const double tiny[] = {1.0, 0x1p-53, 0x1p-106};
    assert_same(sum_of(tiny, 3), 0x1.0000000000001p+0); /* just above the half */
    const double tie[] = {1.0, 0x1p-53};
    assert_same(sum_of(tie, 2), 1.0); /* to even */
    const double three[] = {1e100, 1.0, -1e100, 0x1p-1074, 1e-300, -1.0};
    assert_same(sum_of(three, 6), 1e-300 + 0x1p-1074);
    const double subnormal[] = {0x1p-1074, 0x1p-1074, 0x1p-1074};
    assert_same(sum_of(subnormal, 3), 3 * 0x1p-1074);
    const double infinite[] = {1, (double)INFINITY, -2};
    assert_same(sum_of(infinite, 3), (double)INFINITY);
    const double both[] = {(double)INFINITY, -(double)INFINITY};
    assert_true(isnan(sum_of(both, 2)));
    assert_same(sum_of(NULL, 0), 0.0);
}

/* Values with exponents in a range whose exact sum fits 128-bit integers. */
static void test_against_integers(void **state) {
    (void)state;
    uint64_t seed = 88172645463325252u;
    for (int round = 0; round < 2000; round++) {
        double values[64];
        __int128 exact = 0;
        const size_t count = 1 + next_random(&seed) % 64;
        for (size_t i = 0; i < count; i++) {
            const int64_t mantissa = (int64_t)(next_random(&seed) >> 11) - (INT64_C(1) << 52);
            const int shift = (int)(next_random(&seed) % 60);
            values[i] = ldexp((double)mantissa, shift - 30);
            exact += mantissa * ((__int128)1 << shift);
        }
        /* Rounding of a 128-bit integer to nearest, ties to even, as the compiler does it. */
        assert_same(sum_of(values, count), ldexp((double)exact, -30));
    }
}

static void test_order_and_split(void **state) {
    (void)state;
    uint64_t seed = 4101842887655102017u;
    struct oriel_arena arena;
    oriel_arena_init(&arena, &memory);
    for (int round = 0; round < 500; round++) {
        double values[50];
        for (size_t i = 0; i < 50; i++) {
            uint64_t bits = next_random(&seed);
            memcpy(&values[i], &bits, sizeof bits);
            if (!isfinite(values[i]))
                values[i] = 1.0;
        }
        const double want = sum_of(values, 50);
        struct oriel_exact_sum parts[4] = {{0}}, total = {0};
        for (size_t i = 0; i < 50; i++)
            assert_true(
                oriel_exact_sum_add(&parts[next_random(&seed) % 4], values[49 - i], &arena));
        for (size_t p = 0; p < 4; p++) {
            char saved[2048];
            struct oriel_exact_sum loaded;
            const size_t size = oriel_exact_sum_saved_bytes(&parts[p]);
            assert_true(size <= sizeof saved);
            oriel_exact_sum_save(&parts[p], saved);
            assert_true(oriel_exact_sum_load(&loaded, saved, size, &arena));
            assert_true(oriel_exact_sum_merge(&total, &loaded, &arena));
        }
        assert_same(oriel_exact_sum_value(&total), want);
    }
    oriel_arena_deinit(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_sums),
        cmocka_unit_test(test_against_integers),
        cmocka_unit_test(test_order_and_split),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
