/*
 * Text as times by a pattern, as Java's formatter reads in its default ("smart") style: a day up to
 * 31 that the month lacks is its last day, everything else must be in its range.
 */
#include "engine/base/civil.h"
#include "engine/functions/time_pattern.h"

enum { DIGITS_MAX = 18, ERA_BASE = 2000 };

struct parse {
    const char *next, *end;
    int64_t year, month, day, day_of_year;
    int64_t hour, half_hour, minute, second, ns, ms_of_day; /* -1: not given */
    int afternoon;                                          /* -1: not given */
    int64_t weekday;                                        /* 1 = Monday, 0: not given */
};

static size_t digits_ahead(const struct parse *parse) {
    size_t count = 0;
    while (parse->next + count < parse->end && parse->next[count] >= '0' &&
           parse->next[count] <= '9')
        count++;
    return count;
}

static bool take_digits(struct parse *parse, size_t count, int64_t *out) {
    *out = 0;
    if (count == 0 || count > DIGITS_MAX || digits_ahead(parse) < count)
        return false;
    for (size_t i = 0; i < count; i++)
        *out = *out * 10 + (*parse->next++ - '0');
    return true;
}

/* Digits that the fixed numbers right behind item `index` will take. */
static size_t reserved(const struct oriel_time_pattern *pattern, size_t index) {
    size_t count = 0;
    for (; index < pattern->item_count && pattern->items[index].adjacent; index++)
        count += pattern->items[index + 1].count;
    return count;
}

/* One letter is a number of any width, more are a number of just that width. */
static bool take_number(struct parse *parse, const struct oriel_time_pattern *pattern, size_t index,
                        int64_t low, int64_t high, int64_t *out) {
    const struct oriel_time_item *item = &pattern->items[index];
    size_t width = item->count;
    if (width == 1) {
        const size_t run = digits_ahead(parse), kept = reserved(pattern, index);
        width = run > kept ? run - kept : 0;
    }
    return take_digits(parse, width, out) && *out >= low && *out <= high;
}

/* Four letters: four digits, or more behind a sign. */
static bool take_year(struct parse *parse, const struct oriel_time_pattern *pattern, size_t index) {
    const unsigned count = pattern->items[index].count;
    if (count == 2) {
        const bool read = take_digits(parse, 2, &parse->year);
        parse->year += ERA_BASE;
        return read;
    }
    bool sign = false, minus = false;
    if (parse->next < parse->end && (*parse->next == '-' || *parse->next == '+')) {
        sign = true;
        minus = *parse->next++ == '-';
    }
    const size_t run = digits_ahead(parse), kept = reserved(pattern, index);
    const size_t width = run > kept ? run - kept : 0;
    if (width < count || (!sign && count >= 4 && width > count) || width > 9)
        return false;
    if (!take_digits(parse, width, &parse->year))
        return false;
    if (minus)
        parse->year = -parse->year;
    return true;
}

static bool take_name(struct parse *parse, const char *const *names, int64_t count, bool full,
                      int64_t *out) {
    for (int64_t i = 0; i < count; i++) {
        const size_t length = full ? strlen(names[i]) : 3;
        if ((size_t)(parse->end - parse->next) >= length &&
            memcmp(parse->next, names[i], length) == 0) {
            parse->next += length;
            *out = i + 1;
            return true;
        }
    }
    return false;
}

static bool take_fraction(struct parse *parse, unsigned count) {
    if (!take_digits(parse, count, &parse->ns))
        return false;
    for (unsigned i = count; i < 9; i++)
        parse->ns *= 10;
    return true;
}

static bool take_half(struct parse *parse) {
    if (parse->end - parse->next < 2 || parse->next[1] != 'M' ||
        (parse->next[0] != 'A' && parse->next[0] != 'P'))
        return false;
    parse->afternoon = parse->next[0] == 'P';
    parse->next += 2;
    return true;
}

static bool take_field(struct parse *parse, const struct oriel_time_pattern *pattern,
                       size_t index) {
    const struct oriel_time_item *item = &pattern->items[index];
    switch (item->letter) {
    case 'y':
    case 'u': return take_year(parse, pattern, index);
    case 'M':
    case 'L':
        return item->count > 2
                   ? take_name(parse, oriel_month_names, 12, item->count == 4, &parse->month)
                   : take_number(parse, pattern, index, 1, 12, &parse->month);
    case 'd': return take_number(parse, pattern, index, 1, 31, &parse->day);
    case 'D': return take_number(parse, pattern, index, 1, 366, &parse->day_of_year);
    case 'E': return take_name(parse, oriel_day_names, 7, item->count == 4, &parse->weekday);
    case 'a': return take_half(parse);
    case 'H': return take_number(parse, pattern, index, 0, 24, &parse->hour);
    case 'k': {
        const bool read = take_number(parse, pattern, index, 1, 24, &parse->hour);
        parse->hour %= 24;
        return read;
    }
    case 'K': return take_number(parse, pattern, index, 0, 11, &parse->half_hour);
    case 'h': {
        const bool read = take_number(parse, pattern, index, 1, 12, &parse->half_hour);
        parse->half_hour %= 12;
        return read;
    }
    case 'm': return take_number(parse, pattern, index, 0, 59, &parse->minute);
    case 's': return take_number(parse, pattern, index, 0, 59, &parse->second);
    case 'S': return take_fraction(parse, item->count);
    case 'n': return take_number(parse, pattern, index, 0, 999999999, &parse->ns);
    case 'A': return take_number(parse, pattern, index, 0, ORIEL_MS_PER_DAY - 1, &parse->ms_of_day);
    default: return false;
    }
}

static bool finish(const struct parse *parse, struct oriel_moment *out) {
    const int64_t year = parse->year;
    int64_t days;
    if (parse->day_of_year > 0) {
        days = oriel_days_from_civil(year, 1, 1) + parse->day_of_year - 1;
        if (oriel_civil_from_days(days).year != year)
            return false;
    } else {
        const int32_t month = (int32_t)parse->month;
        const int32_t last = oriel_days_in_month(year, month);
        days = oriel_days_from_civil(year, month, parse->day > last ? last : (int32_t)parse->day);
    }
    if (parse->weekday && oriel_floor_mod(days + 3, 7) + 1 != parse->weekday)
        return false;
    int64_t hour = parse->hour;
    if (hour < 0)
        hour = parse->half_hour >= 0 && parse->afternoon >= 0
                   ? parse->half_hour + 12 * parse->afternoon
                   : 0;
    if (hour == 24 && (parse->minute || parse->second || parse->ns))
        return false; /* 24:00 alone is the next midnight */
    int64_t ms = hour * 3600000 + parse->minute * 60000 + parse->second * 1000;
    if (parse->ms_of_day >= 0)
        ms = parse->ms_of_day;
    out->ms = days * ORIEL_MS_PER_DAY + ms + parse->ns / 1000000;
    out->ns = (int32_t)(parse->ns % 1000000);
    return true;
}

bool oriel_time_pattern_parse(const struct oriel_time_pattern *pattern, struct oriel_text text,
                              struct oriel_moment *out) {
    struct parse parse = {.next = text.bytes,
                          .end = text.bytes + text.length,
                          .year = 1970,
                          .month = 1,
                          .day = 1,
                          .hour = -1,
                          .half_hour = -1,
                          .ms_of_day = -1,
                          .afternoon = -1};
    for (size_t i = 0; i < pattern->item_count; i++) {
        const struct oriel_time_item *item = &pattern->items[i];
        if (item->letter) {
            if (!take_field(&parse, pattern, i))
                return false;
        } else {
            if ((size_t)(parse.end - parse.next) < item->text.length ||
                memcmp(parse.next, item->text.bytes, item->text.length) != 0)
                return false;
            parse.next += item->text.length;
        }
    }
    return parse.next == parse.end && finish(&parse, out);
}
