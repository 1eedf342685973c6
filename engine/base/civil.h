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
int32_t oriel_days_in_month(int64_t year, int32_t month); /* 28..31 */

int64_t oriel_floor_div(int64_t value, int64_t divisor); /* divisor > 0 */
int64_t oriel_floor_mod(int64_t value, int64_t divisor); /* 0 .. divisor - 1 */

enum oriel_parse_result {
    ORIEL_PARSE_OK,
    ORIEL_PARSE_LENIENT, /* no such date or time, but Flink takes it for another one */
    ORIEL_PARSE_BAD,
};

/*
 * The forms of CSV fields and literals, as Flink reads them; surrounding blanks and a final Z are
 * the caller's matter.
 *   timestamp  yyyy-MM-dd HH:mm:ss[.f{0,9}], nanos is the part below a millisecond, 0..999999. A
 *              day past the end of its month is the last of the month, 24:00:00 the next midnight;
 *              both are LENIENT. A signed year may have more digits (-0001, +12345).
 *   date       yyyy-M-d with one or two digits. A day past the end of its month counts on into the
 *              next (February 30 is March 2), the year 0000 is 0001; both are LENIENT.
 *   time       HH:mm[:ss[.f{0,9}]], cut to milliseconds.
 */
enum oriel_parse_result oriel_timestamp_parse(const char *text, size_t length, int64_t *ms,
                                              int32_t *nanos);
enum oriel_parse_result oriel_date_parse(const char *text, size_t length, int32_t *days);
enum oriel_parse_result oriel_time_parse(const char *text, size_t length, int32_t *ms);

/* As Flink prints. A timestamp has `precision` fraction digits, a time at most `precision`: it
 * stops before trailing zeros, after one digit at the earliest (12:34:56.1, 12:00:00.0). A year
 * after 9999 wraps to four digits ("0000"); one before 0000 shows the characters below '0' ("000/"
 * for -1). Return the length. */
size_t oriel_timestamp_print(int64_t ms, int32_t nanos, unsigned precision,
                             char out[ORIEL_TIMESTAMP_TEXT_BYTES]);
size_t oriel_date_print(int32_t days, char out[ORIEL_TIMESTAMP_TEXT_BYTES]);
size_t oriel_time_print(int32_t ms, unsigned precision, char out[ORIEL_TIMESTAMP_TEXT_BYTES]);
