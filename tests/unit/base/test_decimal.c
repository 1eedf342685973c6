/*
 * Decimals: results against exact fractions, and the forms of text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/base/decimal.h"
#include "tests/unit/base/decimal_table.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static __int128 read_whole(const char *text) {
    const int negative = *text == '-';
    unsigned __int128 value = 0;
    for (text += negative; *text; text++)
        value = 10 * value + (unsigned)(*text - '0');
    return negative ? -(__int128)value : (__int128)value;
}

static void check_result(bool fits, __int128 got, const char *expected, size_t row) {
    if (fits != (expected != NULL) || (fits && got != read_whole(expected)))
        fail_msg("row %zu: expected %s", row, expected ? expected : "no result");
}

static void multiplies(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(multiply_cases); i++) {
        const struct multiply_case *row = &multiply_cases[i];
        __int128 out = 0;
        const bool fits =
            oriel_decimal_multiply(read_whole(row->a), read_whole(row->b), row->from_scale,
                                   row->to_scale, row->precision, &out);
        check_result(fits, out, row->result, i);
    }
}

static void divides(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(divide_cases); i++) {
        const struct divide_case *row = &divide_cases[i];
        __int128 out = 0;
        const bool fits = oriel_decimal_divide(read_whole(row->a), read_whole(row->b), row->shift,
                                               row->precision, &out);
        check_result(fits, out, row->result, i);
    }
}

static void rescales(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(rescale_cases); i++) {
        const struct rescale_case *row = &rescale_cases[i];
        __int128 out = 0;
        const bool fits = oriel_decimal_rescale(read_whole(row->value), row->from_scale,
                                                row->to_scale, row->precision, &out);
        check_result(fits, out, row->result, i);
    }
}

static void becomes_double(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(to_double_cases); i++) {
        const struct to_double_case *row = &to_double_cases[i];
        const double got = oriel_decimal_to_double(read_whole(row->value), row->scale);
        if (memcmp(&got, &row->result, sizeof got) != 0)
            fail_msg("row %zu: got %a, expected %a", i, got, row->result);
    }
}

static void comes_from_double(void **state) {
    (void)state;
    static const struct {
        double value;
        unsigned precision, scale;
        const char *result;
    } cases[] = {
        {1.005, 10, 2, "101"},
        {2.675, 10, 2, "268"},
        {-2.675, 10, 2, "-268"},
        {0.1, 38, 20, "10000000000000000000"},
        {1e23, 38, 0, "99999999999999990000000"},
        {99999999.995, 10, 2, NULL},
        {99999999.994, 10, 2, "9999999999"},
        {0.0, 1, 1, "0"},
        {-0.0, 5, 0, "0"},
        {1e300, 38, 0, NULL},
        {5e-324, 38, 38, "0"},
        {1.0 / 0.0, 38, 0, NULL},
        {0.0 / 0.0, 38, 0, NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        __int128 out = 0;
        const bool fits =
            oriel_decimal_from_double(cases[i].value, cases[i].precision, cases[i].scale, &out);
        check_result(fits, out, cases[i].result, i);
    }
}

static void parses(void **state) {
    (void)state;
    static const struct {
        const char *text;
        unsigned precision, scale;
        int status;
        const char *result;
    } cases[] = {
        {"0", 10, 2, 0, "0"},
        {"+5.5", 10, 2, 0, "550"},
        {".5", 10, 2, 0, "50"},
        {"5.", 10, 2, 0, "500"},
        {"1e2", 10, 2, 0, "10000"},
        {"1E+2", 10, 2, 0, "10000"},
        {"1.005", 10, 2, 0, "101"},
        {"1.015", 10, 2, 0, "102"},
        {"-1.005", 10, 2, 0, "-101"},
        {"1.00499999999999999999999999999999999999999999", 10, 2, 0, "100"},
        {"0.004", 10, 2, 0, "0"},
        {"-0.004", 10, 2, 0, "0"},
        {"0.005", 10, 2, 0, "1"},
        {"00000000000000000000000000000000000000000000000012", 4, 2, 0, "1200"},
        {"0.000000000000000000000000000000000000000000000000000012e53", 10, 2, 0, "120"},
        {"9.5", 1, 0, 2, NULL},
        {"9.49", 1, 0, 0, "9"},
        {"99999999.994", 10, 2, 0, "9999999999"},
        {"99999999.995", 10, 2, 2, NULL},
        {"99999999999999999999999999999999999999", 38, 0, 0,
         "99999999999999999999999999999999999999"},
        {"99999999999999999999999999999999999999.5", 38, 0, 2, NULL},
        {"999999999999999999999999999999999999999", 38, 0, 2, NULL},
        {"1e37", 38, 0, 0, "10000000000000000000000000000000000000"},
        {"1e38", 38, 0, 2, NULL},
        {"1e999999999999999999999", 38, 0, 2, NULL},
        {"0e999999999999999999999", 38, 0, 0, "0"},
        {"7e-999999999999999999999", 38, 38, 0, "0"},
        {"0.00000000000000000000000000000000000005", 38, 37, 0, "1"},
        {"", 10, 2, 1, NULL},
        {"+", 10, 2, 1, NULL},
        {".", 10, 2, 1, NULL},
        {"e5", 10, 2, 1, NULL},
        {"1e", 10, 2, 1, NULL},
        {"1e+", 10, 2, 1, NULL},
        {"1e5.5", 10, 2, 1, NULL},
        {"1.2.3", 10, 2, 1, NULL},
        {" 1", 10, 2, 1, NULL},
        {"1 ", 10, 2, 1, NULL},
        {"1d", 10, 2, 1, NULL},
        {"0x1", 10, 2, 1, NULL},
        {"NaN", 10, 2, 1, NULL},
        {"--1", 10, 2, 1, NULL},
        {"1_0", 10, 2, 1, NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        __int128 out = 0;
        const int status = oriel_decimal_parse(cases[i].text, strlen(cases[i].text),
                                               cases[i].precision, cases[i].scale, &out);
        if (status != cases[i].status || (status == 0 && out != read_whole(cases[i].result)))
            fail_msg("'%s': status %d", cases[i].text, status);
    }
}

static void prints(void **state) {
    (void)state;
    static const struct {
        const char *value;
        unsigned scale;
        const char *text;
    } cases[] = {
        {"0", 0, "0"},
        {"0", 2, "0.00"},
        {"-50", 2, "-0.50"},
        {"123456789", 2, "1234567.89"},
        {"1", 9, "0.000000001"},
        {"-1", 38, "-0.00000000000000000000000000000000000001"},
        {"10000000000000000000", 0, "10000000000000000000"},
        {"10000000000000000001", 1, "1000000000000000000.1"},
        {"99999999999999999999999999999999999999", 0, "99999999999999999999999999999999999999"},
        {"-99999999999999999999999999999999999999", 38,
         "-0.99999999999999999999999999999999999999"},
        {"100000000000000000000000000000000000", 18, "100000000000000000.000000000000000000"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[ORIEL_DECIMAL_TEXT_BYTES];
        const size_t length = oriel_decimal_print(read_whole(cases[i].value), cases[i].scale, text);
        assert_int_equal(length, strlen(cases[i].text));
        assert_memory_equal(text, cases[i].text, length);
    }
}

static void knows_powers(void **state) {
    (void)state;
    __int128 power = 1;
    for (unsigned i = 0; i <= 38; i++, power *= i <= 38 ? 10 : 1)
        assert_true(oriel_decimal_power(i) == power);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multiplies),
        cmocka_unit_test(divides),
        cmocka_unit_test(rescales),
        cmocka_unit_test(becomes_double),
        cmocka_unit_test(comes_from_double),
        cmocka_unit_test(parses),
        cmocka_unit_test(prints),
        cmocka_unit_test(knows_powers),
    };
    return cmocka_run_group_tests_name("decimal", tests, NULL, NULL);
}
