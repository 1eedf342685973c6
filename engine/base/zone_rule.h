/*
 * Inside engine/base: the rule at the end of a time zone file, in the form of POSIX's TZ, e.g.
 * EST5EDT,M3.2.0,M11.1.0.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A day of each year and a time of that day. */
struct oriel_zone_day {
    enum { ORIEL_ZONE_DAY_MONTH, ORIEL_ZONE_DAY_JULIAN, ORIEL_ZONE_DAY_ZERO } kind;
    int32_t month, week, day; /* MONTH; JULIAN and ZERO use the day */
    int32_t time_s;           /* may be negative or beyond a day */
};

struct oriel_zone_rule {
    int32_t standard_s, summer_s; /* offsets east of UTC */
    bool has_summer;
    struct oriel_zone_day begin, end; /* of summer time */
};

/* False when the text is no rule. */
bool oriel_zone_rule_parse(const char *text, size_t length, struct oriel_zone_rule *out);

/* Seconds since 1970 of that day and time in `year`, on the wall clock. */
int64_t oriel_zone_day_in(const struct oriel_zone_day *day, int32_t year);
