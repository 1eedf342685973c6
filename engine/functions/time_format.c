/*
 * Times as text by a pattern.
 */
#include "engine/base/civil.h"
#include "engine/functions/time_pattern.h"

enum { DAYS_PER_WEEK = 7, NUMBER_BYTES = 24, SHORT_NAME = 3 };

struct fields {
    struct oriel_civil_date date;
    int64_t days;
    int64_t ms_of_day;
    int64_t ns_of_second;
    int weekday; /* 0 = Monday */
};

static struct fields split(struct oriel_moment moment) {
    struct fields out;
    out.days = oriel_floor_div(moment.ms, ORIEL_MS_PER_DAY);
    out.ms_of_day = oriel_floor_mod(moment.ms, ORIEL_MS_PER_DAY);
    out.date = oriel_civil_from_days(out.days);
    out.ns_of_second = out.ms_of_day % 1000 * 1000000 + moment.ns;
    out.weekday = (int)oriel_floor_mod(out.days + 3, DAYS_PER_WEEK);
    return out;
}

static size_t put(char *out, const char *text, size_t length) {
    memcpy(out, text, length);
    return length;
}

/* A number that is not negative, with zeros in front up to `width` digits. */
static size_t put_number(char *out, int64_t value, unsigned width) {
    char digits[NUMBER_BYTES];
    size_t at = sizeof digits;
    uint64_t rest = (uint64_t)value;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    while (sizeof digits - at < width)
        digits[--at] = '0';
    return put(out, digits + at, sizeof digits - at);
}

/* Two letters are the last two digits; from four on, a year that has more digits gets a sign. */
static size_t put_year(char *out, int64_t year, unsigned count) {
    if (count == 2)
        return put_number(out, oriel_floor_mod(year, 100), 2);
    size_t length = 0;
    if (count >= 4 && year > 9999)
        out[length++] = '+';
    if (year < 0)
        out[length++] = '-';
    return length + put_number(out + length, year < 0 ? -year : year, count);
}

static size_t put_name(char *out, const char *name, unsigned count) {
    const size_t length = count == 5 ? 1 : count == 4 ? strlen(name) : SHORT_NAME;
    return put(out, name, length);
}

/* Weeks as in the United States: from Sunday, the first one holds January 1. */
static void week_of_year(const struct fields *fields, int64_t *year, int64_t *week) {
    const int64_t sunday = fields->days - (fields->weekday + 1) % DAYS_PER_WEEK;
    *year = oriel_civil_from_days(sunday + DAYS_PER_WEEK - 1).year;
    const int64_t january_1 = oriel_days_from_civil(*year, 1, 1);
    const int64_t first_sunday = january_1 - oriel_floor_mod(january_1 + 4, DAYS_PER_WEEK);
    *week = (sunday - first_sunday) / DAYS_PER_WEEK + 1;
}

static size_t put_quarter(char *out, int32_t month, unsigned count) {
    static const char *const names[4] = {"1st quarter", "2nd quarter", "3rd quarter",
                                         "4th quarter"};
    const int32_t quarter = (month + 2) / 3;
    if (count == 4)
        return put(out, names[quarter - 1], strlen(names[0]));
    if (count == 3)
        out[0] = 'Q';
    const size_t length = count == 3;
    return length + put_number(out + length, quarter, count < 3 ? count : 1);
}

static size_t put_week(char *out, const struct fields *fields, char letter, unsigned count) {
    int64_t year, week;
    week_of_year(fields, &year, &week);
    if (letter == 'Y')
        return put_year(out, year, count);
    if (letter == 'w')
        return put_number(out, week, count);
    const int64_t first = fields->days - fields->date.day + 1;
    const int64_t before = oriel_floor_mod(first + 4, DAYS_PER_WEEK);
    return put_number(out, (fields->date.day - 1 + before) / DAYS_PER_WEEK + 1, count);
}

static size_t put_era(char *out, int32_t year, unsigned count) {
    const char *name = year > 0 ? "Anno Domini" : "Before Christ";
    if (count < 4)
        name = year > 0 ? "AD" : "BC";
    return put(out, name, count == 5 ? 1 : strlen(name));
}

static size_t put_fraction(char *out, int64_t ns, unsigned count) {
    for (unsigned dropped = count; dropped < 9; dropped++)
        ns /= 10;
    return put_number(out, ns, count);
}

static size_t put_field(char *out, const struct fields *fields, char letter, unsigned count) {
    const struct oriel_civil_date *date = &fields->date;
    const int64_t hour = fields->ms_of_day / 3600000;
    switch (letter) {
    case 'y': return put_year(out, date->year > 0 ? date->year : 1 - date->year, count);
    case 'u': return put_year(out, date->year, count);
    case 'Y':
    case 'w':
    case 'W': return put_week(out, fields, letter, count);
    case 'M':
    case 'L':
        return count > 2 ? put_name(out, oriel_month_names[date->month - 1], count)
                         : put_number(out, date->month, count);
    case 'Q':
    case 'q': return put_quarter(out, date->month, count);
    case 'D':
        return put_number(out, fields->days - oriel_days_from_civil(date->year, 1, 1) + 1, count);
    case 'd': return put_number(out, date->day, count);
    case 'E': return put_name(out, oriel_day_names[fields->weekday], count);
    case 'e':
    case 'c':
        return count > 2 ? put_name(out, oriel_day_names[fields->weekday], count)
                         : put_number(out, (fields->weekday + 1) % DAYS_PER_WEEK + 1, count);
    case 'G': return put_era(out, date->year, count);
    case 'a': return put(out, hour < 12 ? "AM" : "PM", 2);
    case 'H': return put_number(out, hour, count);
    case 'k': return put_number(out, hour ? hour : 24, count);
    case 'K': return put_number(out, hour % 12, count);
    case 'h': return put_number(out, hour % 12 ? hour % 12 : 12, count);
    case 'm': return put_number(out, fields->ms_of_day / 60000 % 60, count);
    case 's': return put_number(out, fields->ms_of_day / 1000 % 60, count);
    case 'S': return put_fraction(out, fields->ns_of_second, count);
    case 'n': return put_number(out, fields->ns_of_second, count);
    case 'A': return put_number(out, fields->ms_of_day, count);
    default: /* N */
        return put_number(out, fields->ms_of_day / 1000 * 1000000000 + fields->ns_of_second, count);
    }
}

/* The letters that mean something else in SimpleDateFormat. */
static size_t put_lenient(char *out, const struct fields *fields, char letter, unsigned count) {
    const struct oriel_civil_date *date = &fields->date;
    switch (letter) {
    case 'u': return put_number(out, fields->weekday + 1, count);
    case 'F': return put_number(out, (date->day - 1) / DAYS_PER_WEEK + 1, count);
    case 'S': return put_number(out, fields->ms_of_day % 1000, count);
    case 'y':
    case 'Y': return put_field(out, fields, letter, count > 2 && count < 4 ? 4 : count);
    case 'M':
    case 'L':
    case 'E': return put_field(out, fields, letter, count > 4 ? 4 : count);
    case 'a':
    case 'G': return put_field(out, fields, letter, 1);
    default: return put_field(out, fields, letter, count);
    }
}

size_t oriel_time_pattern_format(const struct oriel_time_pattern *pattern,
                                 struct oriel_moment moment, char *out) {
    const struct fields fields = split(moment);
    size_t length = 0;
    for (size_t i = 0; i < pattern->item_count; i++) {
        const struct oriel_time_item *item = &pattern->items[i];
        if (!item->letter)
            length += put(out + length, item->text.bytes, item->text.length);
        else if (pattern->lenient)
            length += put_lenient(out + length, &fields, item->letter, item->count);
        else
            length += put_field(out + length, &fields, item->letter, item->count);
    }
    return length;
}
