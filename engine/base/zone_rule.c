/*
 * Parsing and use of the yearly rule of a time zone file.
 */
#include "engine/base/zone_rule.h"

#include "engine/base/civil.h"

struct rule_reader {
    const char *at, *end;
};

static bool take(struct rule_reader *reader, char byte) {
    if (reader->at == reader->end || *reader->at != byte)
        return false;
    reader->at++;
    return true;
}

static bool take_number(struct rule_reader *reader, int32_t most, int32_t *out) {
    const char *const start = reader->at;
    *out = 0;
    for (; reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9'; reader->at++) {
        *out = *out * 10 + (*reader->at - '0');
        if (*out > most)
            return false;
    }
    return reader->at > start;
}

static bool is_letter(char byte) {
    return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

/* EST or <+03>. */
static bool skip_name(struct rule_reader *reader) {
    const char *const start = reader->at;
    if (take(reader, '<')) {
        while (reader->at < reader->end && *reader->at != '>')
            reader->at++;
        return take(reader, '>');
    }
    while (reader->at < reader->end && is_letter(*reader->at))
        reader->at++;
    return reader->at > start;
}

/* [+-]h[:m[:s]] in seconds. */
static bool take_time(struct rule_reader *reader, int32_t *out) {
    enum { HOURS_MAX = 167 };
    const bool negative = take(reader, '-');
    int32_t hours, minutes = 0, seconds = 0;
    if (!negative)
        take(reader, '+');
    if (!take_number(reader, HOURS_MAX, &hours) ||
        (take(reader, ':') && (!take_number(reader, 59, &minutes) ||
                               (take(reader, ':') && !take_number(reader, 59, &seconds)))))
        return false;
    *out = (hours * 60 + minutes) * 60 + seconds;
    if (negative)
        *out = -*out;
    return true;
}

/* ,M3.2.0/2 or ,J60 or ,59: two o'clock unless a time is written. */
static bool take_day(struct rule_reader *reader, struct oriel_zone_day *out) {
    *out = (struct oriel_zone_day){.kind = ORIEL_ZONE_DAY_ZERO, .time_s = 2 * 3600};
    if (!take(reader, ','))
        return false;
    if (take(reader, 'M')) {
        out->kind = ORIEL_ZONE_DAY_MONTH;
        if (!take_number(reader, 12, &out->month) || out->month < 1 || !take(reader, '.') ||
            !take_number(reader, 5, &out->week) || out->week < 1 || !take(reader, '.') ||
            !take_number(reader, 6, &out->day))
            return false;
    } else {
        if (take(reader, 'J'))
            out->kind = ORIEL_ZONE_DAY_JULIAN;
        if (!take_number(reader, 365, &out->day))
            return false;
    }
    return !take(reader, '/') || take_time(reader, &out->time_s);
}

bool oriel_zone_rule_parse(const char *text, size_t length, struct oriel_zone_rule *out) {
    struct rule_reader reader = {text, text + length};
    int32_t west_s;
    *out = (struct oriel_zone_rule){0};
    if (!skip_name(&reader) || !take_time(&reader, &west_s))
        return false;
    out->standard_s = -west_s;
    if (reader.at == reader.end)
        return true;
    out->has_summer = true;
    out->summer_s = out->standard_s + 3600;
    if (!skip_name(&reader))
        return false;
    if (reader.at < reader.end && *reader.at != ',') {
        if (!take_time(&reader, &west_s))
            return false;
        out->summer_s = -west_s;
    }
    return take_day(&reader, &out->begin) && take_day(&reader, &out->end) &&
           reader.at == reader.end;
}

int64_t oriel_zone_day_in(const struct oriel_zone_day *day, int32_t year) {
    enum { DAY_S = 86400, THURSDAY = 4, FEBRUARY_END = 59 };
    int64_t days;
    if (day->kind == ORIEL_ZONE_DAY_MONTH) {
        const int64_t first = oriel_days_from_civil(year, day->month, 1);
        const int64_t weekday = oriel_floor_mod(first + THURSDAY, 7);
        int64_t in_month = oriel_floor_mod(day->day - weekday, 7) + 7 * (day->week - 1);
        while (in_month >= oriel_days_in_month(year, day->month))
            in_month -= 7;
        days = first + in_month;
    } else {
        days = oriel_days_from_civil(year, 1, 1) + day->day;
        /* Julian days count from 1 and leave out February 29. */
        if (day->kind == ORIEL_ZONE_DAY_JULIAN)
            days -= !(day->day > FEBRUARY_END && oriel_days_in_month(year, 2) == 29);
    }
    return days * DAY_S + day->time_s;
}
