/*
 * Inside engine/functions: a DATE, TIME, TIMESTAMP or TIMESTAMP_LTZ value whatever its type, as a
 * point on the wall clock (TIMESTAMP_LTZ: of the session's zone).
 */
#pragma once

#include "engine/functions/signature.h"

struct oriel_moment {
    int64_t ms; /* since 1970-01-01 00:00 */
    int32_t ns; /* below the millisecond, 0..999999 */
};

/* Reads row `row`; a TIME counts from 1970-01-01 00:00. */
struct oriel_moment oriel_moment_read(const struct oriel_type *type, const void *values, size_t row,
                                      const struct oriel_zone *zone);

/* Writes it, cut to the type as Flink cuts: towards 1970 down to milliseconds, DATE and TIME(0)
 * too. */
void oriel_moment_write(const struct oriel_type *type, void *values, size_t row,
                        struct oriel_moment moment, const struct oriel_zone *zone);

/* Cuts it to days of a DATE or to the precision of another type, towards the past: what text and
 * the wall clock's date and time do. */
void oriel_moment_floor(const struct oriel_type *type, struct oriel_moment *moment);

/* Reads and writes TIMESTAMP_LTZ as the instant that it is; everything else as above. */
struct oriel_moment oriel_moment_read_instant(const struct oriel_type *type, const void *values,
                                              size_t row);
void oriel_moment_write_instant(const struct oriel_type *type, void *values, size_t row,
                                struct oriel_moment moment);
