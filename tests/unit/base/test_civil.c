/*
 * The calendar against a walk day by day, and the texts of dates and times against Flink's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/base/civil.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool is_leap(int64_t year) {
    return year % 400 == 0 || (year % 4 == 0 && year % 100 != 0);
}

static void walks_the_calendar(void **state) {
    (void)state;
    static const int32_t lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int64_t year = -1200;
    int32_t month = 1, day = 1;
    int64_t days = oriel_days_from_civil(year, month, day);
    while (year < 3200) {
        const struct oriel_civil_date date = oriel_civil_from_days(days);
        if (date.year != year || date.month != month || date.day != day ||
            oriel_days_from_civil(year, month, day) != days)
            fail_msg("day %lld is %d-%d-%d", (long long)days, date.year, date.month, date.day);
        const int32_t length = lengths[month - 1] + (month == 2 && is_leap(year));
        assert_int_equal(oriel_days_in_month(year, month), length);
        days++;
        if (++day > length) {
            day = 1;
            month = month == 12 ? 1 : month + 1;
            year += month == 1;
        }
    }
    assert_int_equal(oriel_days_from_civil(1970, 1, 1), 0);
    assert_int_equal(oriel_days_from_civil(1, 1, 1), -719162);
    assert_int_equal(oriel_days_from_civil(9999, 12, 31), 2932896);
}

static void reaches_far_years(void **state) {
    (void)state;
    static const int64_t years[] = {-292275055, -5000000,  -400,          400,
                                    5000000,    292278994, INT32_MIN / 2, INT32_MAX / 2};
    for (size_t i = 0; i < COUNT(years); i++) {
        const int64_t days = oriel_days_from_civil(years[i], 2, 28);
        const struct oriel_civil_date date = oriel_civil_from_days(days);
        assert_int_equal(date.year, years[i]);
        assert_int_equal(date.month, 2);
        assert_int_equal(date.day, 28);
    }
    oriel_civil_from_days(INT64_MIN);
    oriel_civil_from_days(INT64_MAX);
    char text[ORIEL_TIMESTAMP_TEXT_BYTES];
    assert_int_equal(oriel_timestamp_print(INT64_MIN, 0, 9, text), 29);
    assert_int_equal(oriel_timestamp_print(INT64_MAX, 999999, 9, text), 29);
    assert_int_equal(oriel_date_print(INT32_MIN, text), 10);
    assert_int_equal(oriel_date_print(INT32_MAX, text), 10);
}

static void floors(void **state) {
    (void)state;
    static const int64_t table[][4] = {/* value, divisor, quotient, remainder */
                                       {7, 3, 2, 1},
                                       {-7, 3, -3, 2},
                                       {-6, 3, -2, 0},
                                       {0, 5, 0, 0},
                                       {-1, 86400000, -1, 86399999},
                                       {INT64_MIN, 1, INT64_MIN, 0},
                                       {INT64_MIN, INT64_MAX, -2, INT64_MAX - 1},
                                       {INT64_MAX, INT64_MAX, 1, 0}};
    for (size_t i = 0; i < COUNT(table); i++) {
        assert_int_equal(oriel_floor_div(table[i][0], table[i][1]), table[i][2]);
        assert_int_equal(oriel_floor_mod(table[i][0], table[i][1]), table[i][3]);
    }
}

/* `printed` is the value with nine digits; NULL where the text is bad. */
static void parses_timestamps(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum oriel_parse_result result;
        const char *printed;
    } cases[] = {
        {"2024-03-01 00:00:01", ORIEL_PARSE_OK, "2024-03-01 00:00:01.000000000"},
        {"2024-03-01 00:00:01.5", ORIEL_PARSE_OK, "2024-03-01 00:00:01.500000000"},
        {"2024-03-01 00:00:01.123456789", ORIEL_PARSE_OK, "2024-03-01 00:00:01.123456789"},
        {"2024-02-29 12:34:56.", ORIEL_PARSE_OK, "2024-02-29 12:34:56.000000000"},
        {"1969-12-31 23:59:59.999999999", ORIEL_PARSE_OK, "1969-12-31 23:59:59.999999999"},
        {"0001-01-01 00:00:00", ORIEL_PARSE_OK, "0001-01-01 00:00:00.000000000"},
        {"0000-01-01 00:00:00", ORIEL_PARSE_OK, "0000-01-01 00:00:00.000000000"},
        {"9999-12-31 23:59:59.999", ORIEL_PARSE_OK, "9999-12-31 23:59:59.999000000"},
        {"+12345-01-01 00:00:00", ORIEL_PARSE_OK, "2345-01-01 00:00:00.000000000"},
        {"-0001-01-01 00:00:00", ORIEL_PARSE_OK, "000/-01-01 00:00:00.000000000"},
        {"-1234-01-01 00:00:00", ORIEL_PARSE_OK, "/.-,-01-01 00:00:00.000000000"},
        {"-12345-01-01 00:00:00.5", ORIEL_PARSE_OK, ".-,+-01-01 00:00:00.500000000"},
        {"2023-02-30 12:34:56", ORIEL_PARSE_LENIENT, "2023-02-28 12:34:56.000000000"},
        {"2023-02-29 00:00:00.1", ORIEL_PARSE_LENIENT, "2023-02-28 00:00:00.100000000"},
        {"2023-02-28 24:00:00", ORIEL_PARSE_LENIENT, "2023-03-01 00:00:00.000000000"},
        {"2023-02-28 24:00:00.0", ORIEL_PARSE_LENIENT, "2023-03-01 00:00:00.000000000"},
        {"2024-04-31 24:00:00", ORIEL_PARSE_LENIENT, "2024-05-01 00:00:00.000000000"},
        {"2023-12-31 24:00:00", ORIEL_PARSE_LENIENT, "2024-01-01 00:00:00.000000000"},
        {"2023-02-28 24:00:01", ORIEL_PARSE_BAD, NULL},
        {"2023-02-28 24:00:00.000000001", ORIEL_PARSE_BAD, NULL},
        {"2023-02-28 25:00:00", ORIEL_PARSE_BAD, NULL},
        {"2024-01-01 12:34", ORIEL_PARSE_BAD, NULL},
        {"2024-01-01", ORIEL_PARSE_BAD, NULL},
        {"2024-01-01T00:00:00", ORIEL_PARSE_BAD, NULL},
        {"2024-01-01  00:00:00", ORIEL_PARSE_BAD, NULL},
        {"2024-01-01 23:59:60", ORIEL_PARSE_BAD, NULL},
        {"2024-01-01 23:60:00", ORIEL_PARSE_BAD, NULL},
        {"2024-01-32 00:00:00", ORIEL_PARSE_BAD, NULL},
        {"2024-00-01 00:00:00", ORIEL_PARSE_BAD, NULL},
        {"2024-01-00 00:00:00", ORIEL_PARSE_BAD, NULL},
        {"2024-13-01 00:00:00", ORIEL_PARSE_BAD, NULL},
        {"2024-1-01 00:00:00", ORIEL_PARSE_BAD, NULL},
        {"2024-01-1 00:00:00", ORIEL_PARSE_BAD, NULL},
        {"12024-01-01 00:00:00", ORIEL_PARSE_BAD, NULL},
        {"+2024-01-01 00:00:00", ORIEL_PARSE_BAD, NULL},
        {"-0000-01-01 00:00:00", ORIEL_PARSE_BAD, NULL},
        {"+999999999-01-01 00:00:00", ORIEL_PARSE_BAD, NULL},
        {"202-01-01 00:00:00", ORIEL_PARSE_BAD, NULL},
        {"2024-01-01 00:00:00.1234567890", ORIEL_PARSE_BAD, NULL},
        {"2024-01-01 00:00:00Z", ORIEL_PARSE_BAD, NULL},
        {"2024-01-01 00:00:00 ", ORIEL_PARSE_BAD, NULL},
        {" 2024-01-01 00:00:00", ORIEL_PARSE_BAD, NULL},
        {"2024-01-01 1:00:00", ORIEL_PARSE_BAD, NULL},
        {"2024/01/01 00:00:00", ORIEL_PARSE_BAD, NULL},
        {"2024-01-01 00:00:0", ORIEL_PARSE_BAD, NULL},
        {"", ORIEL_PARSE_BAD, NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        int64_t ms = 0;
        int32_t nanos = 0;
        const enum oriel_parse_result result =
            oriel_timestamp_parse(cases[i].text, strlen(cases[i].text), &ms, &nanos);
        if (result != cases[i].result)
            fail_msg("'%s': result %d", cases[i].text, result);
        if (!cases[i].printed)
            continue;
        char text[ORIEL_TIMESTAMP_TEXT_BYTES];
        text[oriel_timestamp_print(ms, nanos, 9, text)] = '\0';
        assert_string_equal(text, cases[i].printed);
    }
}

static void parses_dates(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum oriel_parse_result result;
        const char *printed;
    } cases[] = {
        {"2024-02-29", ORIEL_PARSE_OK, "2024-02-29"},
        {"2023-1-01", ORIEL_PARSE_OK, "2023-01-01"},
        {"2023-1-1", ORIEL_PARSE_OK, "2023-01-01"},
        {"9999-12-31", ORIEL_PARSE_OK, "9999-12-31"},
        {"2023-02-29", ORIEL_PARSE_LENIENT, "2023-03-01"},
        {"2023-02-31", ORIEL_PARSE_LENIENT, "2023-03-03"},
        {"2023-04-31", ORIEL_PARSE_LENIENT, "2023-05-01"},
        {"0000-01-01", ORIEL_PARSE_LENIENT, "0001-01-01"},
        {"2023-13-01", ORIEL_PARSE_BAD, NULL},
        {"2023-00-01", ORIEL_PARSE_BAD, NULL},
        {"2023-01-32", ORIEL_PARSE_BAD, NULL},
        {"2023-01-00", ORIEL_PARSE_BAD, NULL},
        {"+2023-01-01", ORIEL_PARSE_BAD, NULL},
        {"-0001-01-01", ORIEL_PARSE_BAD, NULL},
        {"+12345-01-01", ORIEL_PARSE_BAD, NULL},
        {"12345-01-01", ORIEL_PARSE_BAD, NULL},
        {"2023-001-01", ORIEL_PARSE_BAD, NULL},
        {"2023-01-", ORIEL_PARSE_BAD, NULL},
        {"2023--1", ORIEL_PARSE_BAD, NULL},
        {"2023-01-01 ", ORIEL_PARSE_BAD, NULL},
        {"20230101", ORIEL_PARSE_BAD, NULL},
        {"", ORIEL_PARSE_BAD, NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        int32_t days = 0;
        const enum oriel_parse_result result =
            oriel_date_parse(cases[i].text, strlen(cases[i].text), &days);
        if (result != cases[i].result)
            fail_msg("'%s': result %d", cases[i].text, result);
        if (!cases[i].printed)
            continue;
        char text[ORIEL_TIMESTAMP_TEXT_BYTES];
        text[oriel_date_print(days, text)] = '\0';
        assert_string_equal(text, cases[i].printed);
    }
}

static void parses_times(void **state) {
    (void)state;
    static const struct {
        const char *text;
        const char *printed; /* with three digits; NULL: bad */
    } cases[] = {
        {"12:34:56", "12:34:56.0"},
        {"12:34", "12:34:00.0"},
        {"12:34:56.", "12:34:56.0"},
        {"12:34:56.789", "12:34:56.789"},
        {"12:34:56.1", "12:34:56.1"},
        {"12:34:56.12", "12:34:56.12"},
        {"12:34:56.012", "12:34:56.012"},
        {"12:34:56.123456789", "12:34:56.123"},
        {"23:59:59.999999999", "23:59:59.999"},
        {"24:00:00", NULL},
        {"23:59:60", NULL},
        {"23:60", NULL},
        {"1:02:03", NULL},
        {"12", NULL},
        {"12:34:56.1234567891", NULL},
        {"12:34:56 ", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        int32_t ms = 0;
        const enum oriel_parse_result result =
            oriel_time_parse(cases[i].text, strlen(cases[i].text), &ms);
        if (result != (cases[i].printed ? ORIEL_PARSE_OK : ORIEL_PARSE_BAD))
            fail_msg("'%s': result %d", cases[i].text, result);
        if (!cases[i].printed)
            continue;
        char text[ORIEL_TIMESTAMP_TEXT_BYTES];
        text[oriel_time_print(ms, 3, text)] = '\0';
        assert_string_equal(text, cases[i].printed);
    }
}

static void prints_precisions(void **state) {
    (void)state;
    static const char full[] = "1969-12-31 23:59:59.987654321";
    char text[ORIEL_TIMESTAMP_TEXT_BYTES];
    for (unsigned precision = 0; precision <= 9; precision++) {
        const size_t length = oriel_timestamp_print(-13, 654321, precision, text);
        assert_int_equal(length, precision ? 20 + precision : 19);
        assert_memory_equal(text, full, length);
    }
    const int64_t after_9999_ms = INT64_C(253402300800000);
    text[oriel_timestamp_print(after_9999_ms, 0, 3, text)] = '\0';
    assert_string_equal(text, "0000-01-01 00:00:00.000");
    text[oriel_time_print(45296100, 0, text)] = '\0';
    assert_string_equal(text, "12:34:56");
    text[oriel_time_print(45296100, 1, text)] = '\0';
    assert_string_equal(text, "12:34:56.1");
    text[oriel_time_print(45296789, 2, text)] = '\0';
    assert_string_equal(text, "12:34:56.78");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_the_calendar),
        cmocka_unit_test(reaches_far_years),
        cmocka_unit_test(floors),
        cmocka_unit_test(parses_timestamps),
        cmocka_unit_test(parses_dates),
        cmocka_unit_test(parses_times),
        cmocka_unit_test(prints_precisions),
    };
    return cmocka_run_group_tests_name("civil", tests, NULL, NULL);
}
