/*
 * Time zones: conversions as Java makes them, names, spans, and failing allocations.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/base/zone.h"
#include "tests/unit/base/zone_table.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct oriel_zone *open_zone(struct oriel_memory *memory, const char *name) {
    struct oriel_zone *zone = NULL;
    struct oriel_error error = {0};
    if (oriel_zone_open(memory, name, &zone, &error) != ORIEL_OK)
        fail_msg("%s: %s", name, error.message);
    return zone;
}

static void converts_as_java(void **state) {
    (void)state;
    struct oriel_memory memory = {0};
    for (size_t i = 0; i < COUNT(zone_cases); i++) {
        const struct zone_case *row = &zone_cases[i];
        struct oriel_zone *zone = open_zone(&memory, row->zone);
        const int64_t got = row->direction == TO_LOCAL ? oriel_zone_to_local(zone, row->from_ms)
                                                       : oriel_zone_to_instant(zone, row->from_ms);
        if (got != row->to_ms)
            fail_msg("%s row %zu: got %lld, expected %lld", row->zone, i, (long long)got,
                     (long long)row->to_ms);
        oriel_zone_close(&zone);
    }
    assert_int_equal(memory.used_bytes, 0);
}

/* Every span answers like the conversion at its ends, and another offset begins behind it. */
static void spans_agree(void **state) {
    (void)state;
    static const char *const names[] = {"America/New_York", "Australia/Lord_Howe", "Asia/Seoul",
                                        "Pacific/Apia", "UTC"};
    const int64_t begin_ms = INT64_C(-5000000000000), end_ms = INT64_C(8000000000000);
    struct oriel_memory memory = {0};
    for (size_t i = 0; i < COUNT(names); i++) {
        struct oriel_zone *zone = open_zone(&memory, names[i]);
        size_t span_count = 0;
        for (int64_t at = begin_ms; at < end_ms; span_count++) {
            const struct oriel_zone_span span = oriel_zone_local_span(zone, at);
            assert_true(span.from_ms <= at && at < span.until_ms);
            assert_int_equal(oriel_zone_to_local(zone, at), at + span.offset_ms);
            if (span.until_ms == INT64_MAX)
                break;
            assert_int_equal(oriel_zone_to_local(zone, span.until_ms - 1),
                             span.until_ms - 1 + span.offset_ms);
            at = span.until_ms;
        }
        assert_int_equal(span_count == 0, oriel_zone_is_fixed(zone));
        for (int64_t at = begin_ms; at < end_ms;) {
            const struct oriel_zone_span span = oriel_zone_instant_span(zone, at);
            assert_true(span.from_ms <= at && at < span.until_ms);
            assert_int_equal(oriel_zone_to_instant(zone, at), at - span.offset_ms);
            if (span.until_ms == INT64_MAX)
                break;
            assert_int_equal(oriel_zone_to_instant(zone, span.until_ms - 1),
                             span.until_ms - 1 - span.offset_ms);
            at = span.until_ms;
        }
        oriel_zone_close(&zone);
    }
}

static void survives_extremes(void **state) {
    (void)state;
    struct oriel_memory memory = {0};
    struct oriel_zone *zone = open_zone(&memory, "America/New_York");
    static const int64_t values[] = {INT64_MIN, INT64_MIN + 1, INT64_MAX - 1, INT64_MAX};
    for (size_t i = 0; i < COUNT(values); i++) {
        oriel_zone_to_local(zone, values[i]);
        oriel_zone_to_instant(zone, values[i]);
    }
    oriel_zone_close(&zone);
    oriel_zone_close(&zone);
}

static void knows_names(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int64_t offset_ms; /* at 1970 */
    } valid[] = {
        {"UTC", 0},
        {"GMT", 0},
        {"Etc/UTC", 0},
        {"Zulu", 0},
        {"Universal", 0},
        {"GMT0", 0},
        {"GMT+0", 0},
        {"GMT-00:00", 0},
        {"GMT+9", 32400000},
        {"GMT-9", -32400000},
        {"GMT+09", 32400000},
        {"GMT+0930", 34200000},
        {"GMT+09:00", 32400000},
        {"GMT-03:30", -12600000},
        {"GMT+18:00", 64800000},
        {"Etc/GMT+5", -18000000},
        {"PST8PDT", -28800000},
        {"SystemV/PST8", -28800000},
        {"Asia/Seoul", 32400000},
    };
    static const char *const invalid[] = {
        "",
        "+05:30",
        "Mars/Base",
        "Z",
        "UT",
        "utc",
        "EST",
        "PST",
        "JST",
        "ACT",
        "ROC",
        "america/new_york",
        "UTC+9",
        "GMT+19:00",
        "GMT+18:01",
        "GMT+9:00",
        "GMT+09:60",
        "GMT+",
        "GMT+1a",
        "GMT+123",
        "GMT 9",
        "UTC+09:00",
        "Factory",
        "Etc/Unknown",
        "US/Pacific-New",
        "Asia/Seoul ",
        "\xC3\x28",
    };
    struct oriel_memory memory = {0};
    for (size_t i = 0; i < COUNT(valid); i++) {
        struct oriel_zone *zone = open_zone(&memory, valid[i].name);
        assert_string_equal(oriel_zone_name(zone), valid[i].name);
        if (oriel_zone_to_local(zone, 0) != valid[i].offset_ms)
            fail_msg("%s: offset %lld", valid[i].name, (long long)oriel_zone_to_local(zone, 0));
        oriel_zone_close(&zone);
    }
    for (size_t i = 0; i < COUNT(invalid); i++) {
        struct oriel_zone *zone = NULL;
        struct oriel_error error = {0};
        if (oriel_zone_open(&memory, invalid[i], &zone, &error) != ORIEL_INVALID)
            fail_msg("'%s' was not refused", invalid[i]);
        assert_null(zone);
        assert_non_null(strstr(error.message, "Time Zone Database (TZDB) ID"));
    }
    char long_name[1000];
    memset(long_name, 'x', sizeof long_name);
    long_name[sizeof long_name - 1] = '\0';
    struct oriel_zone *zone = NULL;
    assert_int_equal(oriel_zone_open(&memory, long_name, &zone, NULL), ORIEL_INVALID);
}

static void reports_memory(void **state) {
    (void)state;
    static const char *const names[] = {"Europe/Berlin", "GMT+1"};
    for (size_t i = 0; i < COUNT(names); i++) {
        struct oriel_memory memory = {.fail_at_call = 1};
        struct oriel_zone *zone = NULL;
        struct oriel_error error = {0};
        assert_int_equal(oriel_zone_open(&memory, names[i], &zone, &error), ORIEL_MEMORY);
        assert_null(zone);
        assert_int_equal(memory.used_bytes, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(converts_as_java),  cmocka_unit_test(spans_agree),
        cmocka_unit_test(survives_extremes), cmocka_unit_test(knows_names),
        cmocka_unit_test(reports_memory),
    };
    return cmocka_run_group_tests_name("zone", tests, NULL, NULL);
}
