/*
 * Dates and times of the proleptic Gregorian calendar, without zones.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ORIEL_MS_PER_DAY = 86400000, ORIEL_TIMESTAMP_TEXT_BYTES = 40 };

struct oriel_civil_date {
    int32_t year;
    int32_t month; /* 1..12 */
    int32_t day;   /* 1..31 */
};

/* Days since 1970-01-01; month and day must be valid, any year of 32 bits. */
int64_t oriel_days_from_civil(int64_t year, int32_t month, int32_t day);
struct oriel_civil_date oriel_civil_from_days(int64_t days);

int64_t oriel_floor_div(int64_t value, int64_t divisor); /* divisor > 0 */
int64_t oriel_floor_mod(int64_t value, int64_t divisor); /* 0 .. divisor - 1 */

enum oriel_parse_result {
    ORIEL_PARSE_OK,
    ORIEL_PARSE_LENIENT, /* read by Java's lenient rule: February 30, April 31, 24:00:00 */
    ORIEL_PARSE_BAD,
};

/* Strict forms of CSV and literals; fact 51 and ruling 9 of the notes in tests/flink/README.md.
 * `yyyy-MM-dd HH:mm:ss[.f{0,9}]`; nanos is the part below a millisecond, 0..999999. */
enum oriel_parse_result oriel_timestamp_parse(const char *text, size_t length, int64_t *ms,
                                              int32_t *nanos);
enum oriel_parse_result oriel_date_parse(const char *text, size_t length, int32_t *days);
enum oriel_parse_result oriel_time_parse(const char *text, size_t length, int32_t *ms);

/* As Flink prints: `precision` fraction digits; a year after 9999 wraps to four digits ("0000").
 * Return the length. */
size_t oriel_timestamp_print(int64_t ms, int32_t nanos, unsigned precision,
                             char out[ORIEL_TIMESTAMP_TEXT_BYTES]);
size_t oriel_date_print(int32_t days, char out[ORIEL_TIMESTAMP_TEXT_BYTES]);
size_t oriel_time_print(int32_t ms, unsigned precision, char out[ORIEL_TIMESTAMP_TEXT_BYTES]);
