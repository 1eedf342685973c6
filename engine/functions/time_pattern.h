/*
 * Inside engine/functions: patterns of Java (yyyy-MM-dd HH:mm:ss.SSS), English names, in the two
 * dialects that Flink uses: DateTimeFormatter (DATE_FORMAT, TO_TIMESTAMP), which is strict, and the
 * old SimpleDateFormat (UNIX_TIMESTAMP, FROM_UNIXTIME, TO_DATE, CONVERT_TZ), where days and hours
 * past their end count on. Times with a zone in the pattern (V z O X x Z) do not exist here.
 */
#pragma once

#include "engine/functions/moment.h"

/* One part of a pattern: a run of one letter, or (letter 0) a text that stands for itself. */
struct oriel_time_item {
    char letter;
    uint8_t count;
    bool adjacent; /* a number of fixed width follows at once */
    struct oriel_text text;
};

struct oriel_time_pattern {
    const struct oriel_time_item *items;
    size_t item_count;
    size_t text_bytes_max; /* of a formatted time */
    bool lenient;          /* SimpleDateFormat */
};

/* Compiles into `arena`. NULL when it went well, else a sentence in `arena` or a constant. */
const char *oriel_time_pattern_compile(struct oriel_arena *arena, struct oriel_text pattern,
                                       bool lenient, struct oriel_time_pattern *out);

/* Writes at most text_bytes_max bytes; returns how many. */
size_t oriel_time_pattern_format(const struct oriel_time_pattern *pattern,
                                 struct oriel_moment moment, char *out);

/* Reads the whole text, for a lenient pattern its beginning; fields that the pattern lacks are
 * those of 1970-01-01 00:00. */
bool oriel_time_pattern_parse(const struct oriel_time_pattern *pattern, struct oriel_text text,
                              struct oriel_moment *out);
bool oriel_time_pattern_parse_lenient(const struct oriel_time_pattern *pattern,
                                      struct oriel_text text, struct oriel_moment *out);

/* yyyy-MM-dd HH:mm:ss, lenient. */
extern const struct oriel_time_pattern oriel_time_pattern_default;

/* Wall clock to instant as SimpleDateFormat does it: of an hour that comes twice, the second pass.
 */
int64_t oriel_time_pattern_instant(const struct oriel_zone *zone, int64_t local_ms);

extern const char *const oriel_month_names[12];
extern const char *const oriel_day_names[7]; /* from Monday */
