/*
 * Inside engine/functions: the forms of dates and times that CAST and TO_TIMESTAMP read, which are
 * wider than those of CSV: one-digit parts are fine, and parts at the end may be missing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* y[-M[-d]], blanks around, anything behind a blank; a day that does not exist is an error. */
bool oriel_time_text_date(const char *text, size_t length, int32_t *days);

/* H[:m[:s[.fraction]]], blanks around. */
bool oriel_time_text_time(const char *text, size_t length, int32_t *ms);

/* yyyy-M-d[ H:m:s[.fraction of 0 to 9 digits]], no blanks around; days up to 31 past the end of
 * their month are its last day, as in Java, and 24:00:00 is the next midnight. */
bool oriel_time_text_timestamp(const char *text, size_t length, int64_t *ms, int32_t *ns);

/* The same with blanks around, where days and hours past their end count on: what is left for a
 * text that does not match the pattern of TO_TIMESTAMP. */
bool oriel_time_text_lenient(const char *text, size_t length, int64_t *ms, int32_t *ns);
