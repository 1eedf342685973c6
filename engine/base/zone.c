/*
 * Offsets of a time zone as a sorted table, filled once from ICU and, from 1970 on, from the
 * system's time zone files where there are any, since these are kept up to date. After the years of
 * the table a zone follows yearly rules, which repeat with the calendar: a later year is looked up
 * as the year of the last 28 that begins on the same weekday and is leap or not like it.
 */
#include "engine/base/zone.h"

#include <string.h>
#include <unicode/ucal.h>
#include <unicode/ustring.h>

#include "engine/base/civil.h"
#include "engine/base/zone_file.h"
#include "engine/base/zone_name.h"

enum {
    /* 28 years with a leap year every four, after all single transitions. */
    CYCLE_YEAR_FIRST = 2101,
    CYCLE_YEAR_COUNT = 28,
    CYCLE_YEAR_END = CYCLE_YEAR_FIRST + CYCLE_YEAR_COUNT,
    CYCLE_YEAR_SHIFTED = 2110, /* years from here on are looked up in the cycle */
};

/* Before all transitions of the TZDB: 1800-01-01. */
#define TABLE_BEGIN_MS (INT64_C(-62091) * ORIEL_MS_PER_DAY)

/* offset_ms[i] holds from transition i - 1 on; offset_ms[0] from ever. */
struct oriel_zone {
    struct oriel_memory *memory;
    size_t size_bytes;
    size_t count;
    size_t capacity;
    int64_t *instant_ms; /* of transition i */
    int64_t *local_ms;   /* wall clock times before this one take the offset before transition i */
    int32_t *offset_ms;  /* count + 1 */
    char *name;
};

/* Times past the range of 64 bits are taken for its end. */
static int64_t add_bounded(int64_t a, int64_t b) {
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static int64_t year_start_ms(int64_t year) {
    int64_t ms;
    const int64_t days = oriel_days_from_civil(year, 1, 1);
    return __builtin_mul_overflow(days, (int64_t)ORIEL_MS_PER_DAY, &ms) ? INT64_MAX : ms;
}

static bool is_leap(int64_t year) {
    return oriel_days_in_month(year, 2) == 29;
}

static int32_t offset_at(UCalendar *calendar, int64_t instant_ms, UErrorCode *code) {
    ucal_setMillis(calendar, (UDate)instant_ms, code);
    return ucal_get(calendar, UCAL_ZONE_OFFSET, code) + ucal_get(calendar, UCAL_DST_OFFSET, code);
}

/* Walks the transitions up to the end of the cycle; stores them when there is a table. */
static size_t walk(UCalendar *calendar, struct oriel_zone *zone, UErrorCode *code) {
    const int64_t end_ms = year_start_ms(CYCLE_YEAR_END + 1);
    int32_t offset = offset_at(calendar, TABLE_BEGIN_MS, code);
    size_t count = 0;
    if (zone)
        zone->offset_ms[0] = offset;
    for (;;) {
        UDate next;
        if (U_FAILURE(*code) ||
            !ucal_getTimeZoneTransitionDate(calendar, UCAL_TZ_TRANSITION_NEXT, &next, code) ||
            (int64_t)next >= end_ms)
            return count;
        const int64_t instant_ms = (int64_t)next;
        const int32_t after = offset_at(calendar, instant_ms, code);
        if (after == offset)
            continue;
        if (zone) {
            if (count == zone->capacity)
                return count;
            zone->instant_ms[count] = instant_ms;
            zone->local_ms[count] = instant_ms + (after > offset ? after : offset);
            zone->offset_ms[count + 1] = after;
        }
        offset = after;
        count++;
    }
}

static struct oriel_zone *allocate(struct oriel_memory *memory, const char *name, size_t count) {
    const size_t name_bytes = strlen(name) + 1;
    const size_t size_bytes = sizeof(struct oriel_zone) +
                              count * (2 * sizeof(int64_t) + sizeof(int32_t)) + sizeof(int32_t) +
                              name_bytes;
    struct oriel_zone *zone = oriel_memory_allocate_zeroed(memory, 1, size_bytes);
    if (!zone)
        return NULL;
    zone->memory = memory;
    zone->size_bytes = size_bytes;
    zone->capacity = count;
    zone->instant_ms = (int64_t *)(zone + 1);
    zone->local_ms = zone->instant_ms + count;
    zone->offset_ms = (int32_t *)(zone->local_ms + count);
    zone->name = (char *)(zone->offset_ms + count + 1);
    memcpy(zone->name, name, name_bytes);
    return zone;
}

static UCalendar *open_calendar(const char *name, UErrorCode *code) {
    UChar id[ORIEL_ZONE_NAME_BYTES];
    int32_t length = 0;
    u_strFromUTF8(id, ORIEL_ZONE_NAME_BYTES, &length, name, -1, code);
    return ucal_open(id, length, "en_US", UCAL_GREGORIAN, code);
}

static enum oriel_status open_named(struct oriel_memory *memory, const char *name,
                                    struct oriel_zone **out, struct oriel_error *error) {
    UErrorCode code = U_ZERO_ERROR;
    UCalendar *calendar = open_calendar(name, &code);
    if (U_FAILURE(code)) {
        ucal_close(calendar);
        return code == U_MEMORY_ALLOCATION_ERROR
                   ? oriel_error_memory(error)
                   : oriel_error_set(error, ORIEL_INTERNAL, "ICU cannot open time zone '%s': %s",
                                     name, u_errorName(code));
    }
    struct oriel_zone *zone = allocate(memory, name, walk(calendar, NULL, &code));
    if (zone)
        zone->count = walk(calendar, zone, &code);
    ucal_close(calendar);
    if (!zone)
        return oriel_error_memory(error);
    *out = zone;
    if (U_FAILURE(code)) {
        oriel_zone_close(out);
        return oriel_error_set(error, ORIEL_INTERNAL, "ICU cannot tell the rules of '%s': %s", name,
                               u_errorName(code));
    }
    return ORIEL_OK;
}

static void append(struct oriel_zone *zone, int64_t instant_ms, int32_t after) {
    const int32_t before = zone->offset_ms[zone->count];
    if (after == before)
        return;
    zone->instant_ms[zone->count] = instant_ms;
    zone->local_ms[zone->count] = instant_ms + (after > before ? after : before);
    zone->offset_ms[++zone->count] = after;
}

/* From 1970 on as the file says. The TZDB promises nothing before, files differ there, and ICU has
 * what Java has. */
static enum oriel_status renew(struct oriel_zone **zone, const struct oriel_zone_changes *changes,
                               struct oriel_error *error) {
    struct oriel_zone *const from = *zone;
    struct oriel_zone *const to =
        allocate(from->memory, from->name, from->count + changes->count + 1);
    if (!to) {
        oriel_zone_close(zone);
        return oriel_error_memory(error);
    }
    to->offset_ms[0] = from->offset_ms[0];
    for (size_t i = 0; i < from->count && from->instant_ms[i] < 0; i++)
        append(to, from->instant_ms[i], from->offset_ms[i + 1]);
    size_t next = 0;
    while (next < changes->count && changes->instant_ms[next] < 0)
        next++;
    append(to, 0, changes->offset_ms[next]);
    for (; next < changes->count; next++)
        append(to, changes->instant_ms[next], changes->offset_ms[next + 1]);
    oriel_zone_close(zone);
    *zone = to;
    return ORIEL_OK;
}

enum oriel_status oriel_zone_open(struct oriel_memory *memory, const char *name,
                                  struct oriel_zone **out, struct oriel_error *error) {
    int32_t offset_ms;
    *out = NULL;
    if (oriel_zone_name_is_offset(name, &offset_ms)) {
        struct oriel_zone *zone = allocate(memory, name, 0);
        if (!zone)
            return oriel_error_memory(error);
        zone->offset_ms[0] = offset_ms;
        *out = zone;
        return ORIEL_OK;
    }
    if (!oriel_zone_name_is_region(name))
        return oriel_error_set(
            error, ORIEL_INVALID,
            "Invalid time zone '%s'. The value should be a Time Zone Database (TZDB) ID such as "
            "'America/Los_Angeles' to include daylight saving time. Fixed offsets are supported "
            "using 'GMT-03:00' or 'GMT+03:00'. Or use 'UTC' without time zone and daylight saving "
            "time.",
            name);
    ORIEL_TRY(open_named(memory, name, out, error));
    struct oriel_zone_changes changes;
    bool found;
    enum oriel_status status = oriel_zone_file_read(memory, ORIEL_ZONE_FOLDER, name, CYCLE_YEAR_END,
                                                    &changes, &found, error);
    if (status != ORIEL_OK)
        oriel_zone_close(out);
    if (!found)
        return status;
    status = renew(out, &changes, error);
    oriel_zone_changes_release(&changes);
    return status;
}

void oriel_zone_close(struct oriel_zone **zone) {
    if (*zone)
        oriel_memory_release((*zone)->memory, *zone, (*zone)->size_bytes);
    *zone = NULL;
}

const char *oriel_zone_name(const struct oriel_zone *zone) {
    return zone->name;
}

bool oriel_zone_is_fixed(const struct oriel_zone *zone) {
    return zone->count == 0;
}

/* How far the year of `ms` lies behind its like in the cycle; a whole number of weeks. */
static int64_t cycle_shift(int64_t ms, int64_t *year_begin, int64_t *year_end) {
    const int64_t days = oriel_floor_div(ms, ORIEL_MS_PER_DAY);
    const int64_t year = oriel_civil_from_days(days).year;
    const int64_t first = oriel_days_from_civil(year, 1, 1);
    *year_begin = year_start_ms(year);
    *year_end = year_start_ms(year + 1);
    for (int64_t like = CYCLE_YEAR_FIRST; like < CYCLE_YEAR_END; like++) {
        const int64_t shift = first - oriel_days_from_civil(like, 1, 1);
        if (shift % 7 == 0 && is_leap(like) == is_leap(year))
            return shift * ORIEL_MS_PER_DAY;
    }
    return 0;
}

/* The number of `keys` that are not after `value`: the index of the offset. */
static size_t search(const int64_t *keys, size_t count, int64_t value) {
    size_t base = 0;
    while (count > 0) {
        const size_t half = count / 2;
        const bool above = keys[base + half] <= value;
        base += above ? half + 1 : 0;
        count = above ? count - half - 1 : half;
    }
    return base;
}

static struct oriel_zone_span find_span(const struct oriel_zone *zone, const int64_t *keys,
                                        int64_t ms) {
    struct oriel_zone_span span = {INT64_MIN, INT64_MAX, zone->offset_ms[0]};
    int64_t shift = 0;
    if (zone->count == 0)
        return span;
    if (ms >= year_start_ms(CYCLE_YEAR_SHIFTED))
        shift = cycle_shift(ms, &span.from_ms, &span.until_ms);
    const size_t index = search(keys, zone->count, ms - shift);
    span.offset_ms = zone->offset_ms[index];
    if (index > 0 && add_bounded(keys[index - 1], shift) > span.from_ms)
        span.from_ms = add_bounded(keys[index - 1], shift);
    if (index < zone->count && add_bounded(keys[index], shift) < span.until_ms)
        span.until_ms = add_bounded(keys[index], shift);
    return span;
}

struct oriel_zone_span oriel_zone_local_span(const struct oriel_zone *zone, int64_t instant_ms) {
    return find_span(zone, zone->instant_ms, instant_ms);
}

struct oriel_zone_span oriel_zone_instant_span(const struct oriel_zone *zone, int64_t local_ms) {
    return find_span(zone, zone->local_ms, local_ms);
}

/* Sums wrap at the ends of the range, as Java's do. */
int64_t oriel_zone_to_local(const struct oriel_zone *zone, int64_t instant_ms) {
    const int64_t offset_ms = oriel_zone_local_span(zone, instant_ms).offset_ms;
    return (int64_t)((uint64_t)instant_ms + (uint64_t)offset_ms);
}

int64_t oriel_zone_to_instant(const struct oriel_zone *zone, int64_t local_ms) {
    const int64_t offset_ms = oriel_zone_instant_span(zone, local_ms).offset_ms;
    return (int64_t)((uint64_t)local_ms - (uint64_t)offset_ms);
}
