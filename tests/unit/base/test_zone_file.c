/*
 * Time zone files: rules of recent years as Java has them, yearly rules, files that are cut or
 * damaged, failing allocations.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/base/zone.h"
#include "engine/base/zone_file.h"
#include "engine/base/zone_rule.h"
#include "tests/unit/base/zone_young_table.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { FILE_BYTES = 4096, YEAR_LAST = 2129 };

/* Reads a file of the system; 0 where there is none, which skips the test. */
static size_t read_system_file(const char *name, unsigned char *bytes) {
    char path[128];
    snprintf(path, sizeof path, "%s%s", ORIEL_ZONE_FOLDER, name);
    FILE *const file = fopen(path, "rb");
    const size_t length = file ? fread(bytes, 1, FILE_BYTES, file) : 0;
    if (file)
        fclose(file);
    return length;
}

/* Whether the files are of 2024 or later: Almaty went to +05 then. */
static bool are_young(void) {
    struct oriel_memory memory = {0};
    struct oriel_zone_changes changes;
    bool found, young = false;
    if (oriel_zone_file_read(&memory, ORIEL_ZONE_FOLDER, "Asia/Almaty", YEAR_LAST, &changes, &found,
                             NULL) == ORIEL_OK &&
        found) {
        young = changes.offset_ms[changes.count] == 5 * 3600000;
        oriel_zone_changes_release(&changes);
    }
    return young;
}

static void knows_recent_rules(void **state) {
    (void)state;
    if (!are_young())
        skip();
    struct oriel_memory memory = {0};
    for (size_t i = 0; i < COUNT(young_zone_cases); i++) {
        const struct zone_case *row = &young_zone_cases[i];
        struct oriel_zone *zone = NULL;
        assert_int_equal(oriel_zone_open(&memory, row->zone, &zone, NULL), ORIEL_OK);
        const int64_t got = row->direction == TO_LOCAL ? oriel_zone_to_local(zone, row->from_ms)
                                                       : oriel_zone_to_instant(zone, row->from_ms);
        if (got != row->to_ms)
            fail_msg("%s row %zu, from %lld: got %lld, expected %lld", row->zone, i,
                     (long long)row->from_ms, (long long)got, (long long)row->to_ms);
        oriel_zone_close(&zone);
    }
    assert_int_equal(memory.used_bytes, 0);
}

static void parses_rules(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int32_t standard_s, summer_s;
        int64_t begin_s, end_s; /* wall clock in 2024 */
    } rules[] = {
        {"UTC0", 0, 0, 0, 0},
        {"<+0545>-5:45", 20700, 0, 0, 0},
        {"EST5EDT,M3.2.0,M11.1.0", -18000, -14400, 1710036000, 1730599200},
        {"CET-1CEST,M3.5.0,M10.5.0/3", 3600, 7200, 1711850400, 1729998000},
        {"<-02>2<-01>,M3.5.0/-1,M10.5.0/0", -7200, -3600, 1711839600, 1729987200},
        {"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 37800, 39600, 1728180000, 1712455200},
        {"A1B,J60/0,300/24", -3600, 0, 1709251200, 1730073600},
        {"EET-2EEST,M3.4.4/50,M10.4.4/50", 7200, 10800, 1711764000, 1729908000},
    };
    static const char *const bad[] = {
        "",
        "EST",
        "5",
        "EST5EDT",
        "EST5EDT,M3.2.0",
        "<+03-3",
        "EST200",
        "EST5:60",
        "EST5EDT,M13.1.0,J1",
        "EST5EDT,M3.6.0,J1",
        "EST5EDT,M3.2.7,J1",
        "EST5EDT,J366,J1",
        "EST5EDT,M3.2.0,M11.1.0x",
        "EST5EDT,M3.2.0/168,M11.1.0",
    };
    for (size_t i = 0; i < COUNT(rules); i++) {
        struct oriel_zone_rule rule;
        if (!oriel_zone_rule_parse(rules[i].text, strlen(rules[i].text), &rule))
            fail_msg("'%s' was refused", rules[i].text);
        assert_int_equal(rule.standard_s, rules[i].standard_s);
        assert_int_equal(rule.summer_s, rules[i].summer_s);
        if (!rule.has_summer)
            continue;
        assert_int_equal(oriel_zone_day_in(&rule.begin, 2024), rules[i].begin_s);
        assert_int_equal(oriel_zone_day_in(&rule.end, 2024), rules[i].end_s);
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct oriel_zone_rule rule;
        if (oriel_zone_rule_parse(bad[i], strlen(bad[i]), &rule))
            fail_msg("'%s' was taken", bad[i]);
    }
}

static void write_file(const char *path, const unsigned char *bytes, size_t length) {
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

/* Every cut is no file; every changed byte gives a file or none, and nothing leaks. */
static void survives_damage(void **state) {
    (void)state;
    unsigned char bytes[FILE_BYTES];
    const size_t length = read_system_file("America/New_York", bytes);
    if (!length)
        skip();
    char folder[] = "/tmp/oriel-zone-XXXXXX", path[64], slash[64];
    assert_non_null(mkdtemp(folder));
    snprintf(slash, sizeof slash, "%s/", folder);
    snprintf(path, sizeof path, "%s/zone", folder);
    struct oriel_memory memory = {0};
    struct oriel_zone_changes changes;
    bool found;
    for (size_t cut = 0; cut < length; cut += 1 + cut / 16) {
        write_file(path, bytes, cut);
        assert_int_equal(
            oriel_zone_file_read(&memory, slash, "zone", YEAR_LAST, &changes, &found, NULL),
            ORIEL_OK);
        assert_false(found);
    }
    for (size_t at = 0; at < length; at += 1 + at / 64) {
        const unsigned char kept = bytes[at];
        bytes[at] ^= 0xFF;
        write_file(path, bytes, length);
        bytes[at] = kept;
        assert_int_equal(
            oriel_zone_file_read(&memory, slash, "zone", YEAR_LAST, &changes, &found, NULL),
            ORIEL_OK);
        for (size_t i = 1; found && i < changes.count; i++)
            assert_int_not_equal(changes.offset_ms[i], changes.offset_ms[i - 1]);
        if (found)
            oriel_zone_changes_release(&changes);
    }
    unlink(path);
    rmdir(folder);
    assert_int_equal(memory.used_bytes, 0);
}

static void survives_failing_allocations(void **state) {
    (void)state;
    for (size_t call = 1;; call++) {
        struct oriel_memory memory = {.fail_at_call = call};
        struct oriel_zone *zone = NULL;
        struct oriel_error error = {0};
        const enum oriel_status status =
            oriel_zone_open(&memory, "America/New_York", &zone, &error);
        oriel_zone_close(&zone);
        assert_int_equal(memory.used_bytes, 0);
        if (status == ORIEL_OK)
            break;
        assert_int_equal(status, ORIEL_MEMORY);
        assert_true(call < 20);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_recent_rules),
        cmocka_unit_test(parses_rules),
        cmocka_unit_test(survives_damage),
        cmocka_unit_test(survives_failing_allocations),
    };
    return cmocka_run_group_tests_name("zone_file", tests, NULL, NULL);
}
