/*
 * Numbers as text: Java's digits, Java's grammar, and the reading of what was printed.
 */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/base/number_text.h"
#include "tests/unit/base/number_table.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static double double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int same_double(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

static void prints_as_java(void **state) {
    (void)state;
    char text[ORIEL_NUMBER_TEXT_BYTES + 1];
    for (size_t i = 0; i < COUNT(double_cases); i++) {
        text[oriel_double_print(double_of(double_cases[i].bits), text)] = '\0';
        assert_string_equal(text, double_cases[i].text);
    }
    for (size_t i = 0; i < COUNT(float_cases); i++) {
        text[oriel_float_print(float_of(float_cases[i].bits), text)] = '\0';
        assert_string_equal(text, float_cases[i].text);
    }
}

static void reads_java_back(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(double_cases); i++) {
        const char *text = double_cases[i].text;
        double value = 0;
        assert_true(oriel_double_parse(text, strlen(text), &value));
        if (!isnan(value))
            assert_true(same_double(value, double_of(double_cases[i].bits)));
    }
    for (size_t i = 0; i < COUNT(float_cases); i++) {
        const char *text = float_cases[i].text;
        float value = 0;
        const float expected = float_of(float_cases[i].bits);
        assert_true(oriel_float_parse(text, strlen(text), &value));
        if (!isnan(value))
            assert_memory_equal(&value, &expected, sizeof value);
    }
}

/* What is printed identifies the number, and Java never takes more than 18 digits. */
static void prints_enough_digits(void **state) {
    (void)state;
    uint64_t bits = 88172645463325252;
    for (int i = 0; i < 20000; i++) {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        const double value = double_of(bits);
        if (!isfinite(value))
            continue;
        char text[ORIEL_NUMBER_TEXT_BYTES + 1];
        text[oriel_double_print(value, text)] = '\0';
        assert_true(strtod(text, NULL) == value);
        int printed = 0, zeros = 0;
        for (const char *c = text; *c && *c != 'E'; c++) {
            if (*c == '0' && printed)
                zeros++;
            if (*c >= '1' && *c <= '9') {
                printed += zeros + 1;
                zeros = 0;
            }
        }
        assert_true(printed <= 18);
    }
}

static void parses_java_forms(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"1", 1},
        {"+5.5", 5.5},
        {"-0", -0.0},
        {"1.", 1},
        {".5", 0.5},
        {"1e3", 1000},
        {"1E+3", 1000},
        {"5e-1", 0.5},
        {"1d", 1},
        {"1D", 1},
        {"1f", 1},
        {"1.5e2F", 150},
        {" \t\n 7 \r", 7},
        {"007", 7},
        {"Infinity", (double)INFINITY},
        {"-Infinity", -(double)INFINITY},
        {"+Infinity", (double)INFINITY},
        {"1e400", (double)INFINITY},
        {"-1e400", -(double)INFINITY},
        {"1e-400", 0},
        {"0e99999999999999999999", 0},
        {"1e99999999999999999999", (double)INFINITY},
        {"1e-99999999999999999999", 0},
        {"0x1p3", 8},
        {"0X1.8P1", 3},
        {"0x.8p1d", 1},
        {"-0x1p-1074", -0x1p-1074},
        {"0x1p-1075", 0},
        {"0x1.8p-1075", 0x1p-1074},
        {"0x1.00000000000008p0", 1},
        {"0x1.000000000000080000000000000000000000000001p0", 0x1.0000000000001p0},
        {"0x4BcE9BBa0.c2d8ap-1058", 0x4bce9bba0c2d9p-1074},
        {"0x0000000000000000000000123456789abcdefffffp0", 0x1.23456789abcdfp72},
        {"9007199254740993", 9007199254740992.0},
        {"9007199254740993.00000000000000000000000000000001", 9007199254740994.0},
        {"9007199254740992e0", 9007199254740992.0},
        {"2.2250738585072011e-308", 2.2250738585072011e-308},
        {"4.9406564584124654e-324", 0x1p-1074},
        {"2.4703282292062327e-324", 0},
        {"2.4703282292062328e-324", 0x1p-1074},
        {"1.7976931348623157e308", 0x1.fffffffffffffp1023},
        {"1.7976931348623159e308", (double)INFINITY},
        {"123456789012345678901234567890", 123456789012345678901234567890.0},
        {"0.1", 0.1},
        {"1e22", 1e22},
        {"1e23", 1e23},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        double value = 12345;
        if (!oriel_double_parse(cases[i].text, strlen(cases[i].text), &value) ||
            !same_double(value, cases[i].value))
            fail_msg("'%s' gives %a", cases[i].text, value);
    }
    static const char *const bad[] = {
        "",          " ",    "+",      ".",    "e5",      "1e",    "1e+",   "1.2.3",
        "1 2",       "1ee5", "nan",    "NAN",  "NaNd",    "inf",   "Inf",   "infinity",
        "Infinityd", "1_0",  "0x1",    "0xp1", "0x1.8",   "0x1p",  "1df",   "--1",
        "+-1",       "1,5",  "\xA0 1", "d",    "0x1g1p1", "1e5.5", "0x.p1",
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        double value;
        float small;
        if (oriel_double_parse(bad[i], strlen(bad[i]), &value) ||
            oriel_float_parse(bad[i], strlen(bad[i]), &small))
            fail_msg("'%s' was taken", bad[i]);
    }
    double value = 0;
    assert_true(oriel_double_parse("-NaN", 4, &value) && isnan(value));
    assert_true(oriel_double_parse(" NaN ", 5, &value) && isnan(value));
}

static void rounds_floats_once(void **state) {
    (void)state;
    static const struct {
        const char *text;
        float value;
    } cases[] = {
        {"1.00000017881393432617187499", 0x1.000002p0F}, /* just below the half */
        {"1.00000017881393432617187500", 0x1.000004p0F}, /* the half, to even */
        {"1.00000017881393421514957253748434595763683319091796875001", 0x1.000002p0F},
        {"16777217", 16777216.0F},
        {"16777219", 16777220.0F},
        {"3.4028235e38", 0x1.fffffep127F},
        {"3.4028236e38", INFINITY},
        {"1.4e-45", 0x1p-149F},
        {"7.0e-46", 0},
        {"0.1", 0.1F},
        {"-1e10", -1e10F},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        float value = 12345;
        if (!oriel_float_parse(cases[i].text, strlen(cases[i].text), &value) ||
            memcmp(&value, &cases[i].value, sizeof value) != 0)
            fail_msg("'%s' gives %a", cases[i].text, (double)value);
    }
}

static void takes_long_texts(void **state) {
    (void)state;
    enum { LENGTH = 5000 };
    static char text[LENGTH];
    double value = 0;
    memset(text, '9', LENGTH);
    assert_true(oriel_double_parse(text, LENGTH, &value) && isinf(value));
    memset(text, '0', LENGTH);
    text[0] = '.';
    text[LENGTH - 7] = '1';
    memcpy(text + LENGTH - 6, "e04992", 6);
    assert_true(oriel_double_parse(text, LENGTH, &value) && value == 0.1);
    /* A half that only the last of many digits lifts above it. */
    memset(text, '0', LENGTH);
    memcpy(text, "9007199254740993.", 17);
    assert_true(oriel_double_parse(text, LENGTH, &value) && value == 9007199254740992.0);
    text[LENGTH - 1] = '1';
    assert_true(oriel_double_parse(text, LENGTH, &value) && value == 9007199254740994.0);
}

static void ignores_the_locale(void **state) {
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "C.UTF-8"};
    for (size_t i = 0; i < COUNT(names); i++) {
        if (!setlocale(LC_ALL, names[i]))
            continue;
        double value = 0;
        assert_true(oriel_double_parse("1234567890123456789.5e-30", 25, &value));
        assert_true(value == 0x1.5b45ab4e9aafbp-40 || value == 1234567890123456789.5e-30);
        char text[ORIEL_NUMBER_TEXT_BYTES];
        assert_int_equal(oriel_double_print(1.5, text), 3);
        assert_memory_equal(text, "1.5", 3);
    }
    setlocale(LC_ALL, "C");
}

static void parses_integers(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t low, high;
        enum oriel_integer_result result;
        int64_t value;
    } cases[] = {
        {"0", -128, 127, ORIEL_INTEGER_OK, 0},
        {"+5", -128, 127, ORIEL_INTEGER_OK, 5},
        {"007", -128, 127, ORIEL_INTEGER_OK, 7},
        {"-0", -128, 127, ORIEL_INTEGER_OK, 0},
        {"127", -128, 127, ORIEL_INTEGER_OK, 127},
        {"128", -128, 127, ORIEL_INTEGER_RANGE, 0},
        {"-128", -128, 127, ORIEL_INTEGER_OK, -128},
        {"-129", -128, 127, ORIEL_INTEGER_RANGE, 0},
        {"9223372036854775807", INT64_MIN, INT64_MAX, ORIEL_INTEGER_OK, INT64_MAX},
        {"9223372036854775808", INT64_MIN, INT64_MAX, ORIEL_INTEGER_RANGE, 0},
        {"-9223372036854775808", INT64_MIN, INT64_MAX, ORIEL_INTEGER_OK, INT64_MIN},
        {"-9223372036854775809", INT64_MIN, INT64_MAX, ORIEL_INTEGER_RANGE, 0},
        {"99999999999999999999999", INT64_MIN, INT64_MAX, ORIEL_INTEGER_RANGE, 0},
        {"00000000000000000000000000000001", 0, 9, ORIEL_INTEGER_OK, 1},
        {"99999999999999999999999x", INT64_MIN, INT64_MAX, ORIEL_INTEGER_BAD, 0},
        {"", 0, 9, ORIEL_INTEGER_BAD, 0},
        {"+", 0, 9, ORIEL_INTEGER_BAD, 0},
        {"-", 0, 9, ORIEL_INTEGER_BAD, 0},
        {"+-1", -9, 9, ORIEL_INTEGER_BAD, 0},
        {" 1", 0, 9, ORIEL_INTEGER_BAD, 0},
        {"1 ", 0, 9, ORIEL_INTEGER_BAD, 0},
        {"1.0", 0, 9, ORIEL_INTEGER_BAD, 0},
        {"ten", 0, 9, ORIEL_INTEGER_BAD, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        int64_t value = 0;
        const enum oriel_integer_result result = oriel_integer_parse(
            cases[i].text, strlen(cases[i].text), cases[i].low, cases[i].high, &value);
        if (result != cases[i].result || value != cases[i].value)
            fail_msg("'%s': result %d", cases[i].text, result);
    }
}

static void prints_integers(void **state) {
    (void)state;
    static const int64_t values[] = {0,  1,   9,   10,   99,        100,       101,
                                     -1, -10, 999, 1000, INT32_MIN, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < COUNT(values); i++) {
        char text[ORIEL_NUMBER_TEXT_BYTES + 1], expected[32];
        snprintf(expected, sizeof expected, "%lld", (long long)values[i]);
        text[oriel_integer_print(values[i], text)] = '\0';
        assert_string_equal(text, expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_as_java),       cmocka_unit_test(reads_java_back),
        cmocka_unit_test(prints_enough_digits), cmocka_unit_test(parses_java_forms),
        cmocka_unit_test(rounds_floats_once),   cmocka_unit_test(takes_long_texts),
        cmocka_unit_test(ignores_the_locale),   cmocka_unit_test(parses_integers),
        cmocka_unit_test(prints_integers),
    };
    return cmocka_run_group_tests_name("number_text", tests, NULL, NULL);
}
