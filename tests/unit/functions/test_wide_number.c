/*
 * Wide numbers: sums, differences and ratios against 128-bit arithmetic and against the division of
 * doubles, which rounds correctly.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "engine/functions/wide_number.h"

static uint64_t next_random(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed ^ (*seed >> 29);
}

static size_t split(unsigned __int128 value, uint32_t digits[4]) {
    for (unsigned i = 0; i < 4; i++)
        digits[i] = (uint32_t)(value >> (32 * i));
    return 4;
}

static unsigned __int128 low_part(const struct oriel_wide *number) {
    unsigned __int128 value = 0;
    for (unsigned i = 4; i-- > 0;)
        value = value << 32 | number->digits[i];
    return value;
}

static void test_sums(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        struct oriel_wide number = {{0}};
        uint32_t digits[4];
        const uint64_t a = next_random(&seed), b = next_random(&seed) >> 8;
        const uint32_t factor = (uint32_t)next_random(&seed);
        const unsigned shift = (unsigned)(next_random(&seed) % 30);
        oriel_wide_add(&number, digits, split(a, digits), factor, 0);
        oriel_wide_add(&number, digits, split(b, digits), 1, shift);
        const unsigned __int128 sum =
            (unsigned __int128)a * factor + ((unsigned __int128)b << shift);
        assert_true(low_part(&number) == sum);
        oriel_wide_subtract(&number, digits, 4, 1, shift);
        oriel_wide_subtract(&number, digits, split(a, digits), factor, 0);
        const struct oriel_wide nothing = {{0}};
        assert_memory_equal(&number, &nothing, sizeof number);
    }
}

static void test_carries(void **state) {
    (void)state;
    struct oriel_wide number = {{0}};
    uint32_t ones[ORIEL_WIDE_DIGITS];
    const uint32_t one = 1;
    memset(ones, 0xFF, sizeof ones);
    oriel_wide_add(&number, ones, 100, 1, 0);
    oriel_wide_add(&number, &one, 1, 1, 0);
    for (int i = 0; i < ORIEL_WIDE_DIGITS; i++)
        assert_int_equal(number.digits[i], i == 100);
    oriel_wide_subtract(&number, &one, 1, 1, 0);
    assert_memory_equal(number.digits, ones, 100 * sizeof one);
    oriel_wide_add(&number, ones, ORIEL_WIDE_DIGITS, UINT32_MAX, 31); /* the rest is lost */
}

/* Numbers that doubles hold, so that their quotient is the truth. */
static void test_ratios(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < 20000; i++) {
        struct oriel_wide above = {{0}}, below = {{0}};
        uint32_t digits[4];
        const uint64_t a = next_random(&seed) >> (11 + next_random(&seed) % 50);
        const uint64_t b = (next_random(&seed) >> (11 + next_random(&seed) % 50)) + 1;
        const unsigned shift_a = (unsigned)(next_random(&seed) % 4000);
        const unsigned shift_b = (unsigned)(next_random(&seed) % 4000);
        const int exponent = (int)shift_b - (int)shift_a + (int)(next_random(&seed) % 400) - 200;
        oriel_wide_add(&above, digits, split(a, digits), 1, shift_a);
        oriel_wide_add(&below, digits, split(b, digits), 1, shift_b);
        const double wanted = ldexp((double)a / (double)b, exponent + (int)shift_a - (int)shift_b);
        assert_true(oriel_wide_ratio(&above, &below, exponent) == wanted);
    }
}

/* Halves go to the even neighbour, and a bit far below decides otherwise. */
static void test_ties(void **state) {
    (void)state;
    const uint32_t one = 1;
    const uint32_t half[2] = {1, 1u << 21}; /* 2^53 + 1 */
    const uint32_t odd[2] = {3, 1u << 21};
    struct oriel_wide above = {{0}}, below = {{0}};
    oriel_wide_add(&above, half, 2, 1, 1000);
    oriel_wide_add(&below, &one, 1, 1, 0);
    assert_true(oriel_wide_ratio(&above, &below, -1000) == 0x1p53);
    above = below = (struct oriel_wide){{0}};
    oriel_wide_add(&above, odd, 2, 1, 1000);
    oriel_wide_add(&below, &one, 1, 1, 0);
    assert_true(oriel_wide_ratio(&above, &below, -1000) == 0x1p53 + 4);
    above = below = (struct oriel_wide){{0}};
    oriel_wide_add(&above, half, 2, 1, 1000);
    oriel_wide_add(&above, &one, 1, 1, 0);
    oriel_wide_add(&below, &one, 1, 1, 0);
    assert_true(oriel_wide_ratio(&above, &below, -1000) == 0x1p53 + 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_carries),
        cmocka_unit_test(test_ratios),
        cmocka_unit_test(test_ties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
