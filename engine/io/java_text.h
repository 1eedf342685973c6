/*
 * Values as Java's classes print them, which Flink's formats and its print table show.
 */
#pragma once

#include "engine/columns/value_text.h"

enum { ORIEL_JAVA_TEXT_BYTES = 64 };

/* BigDecimal.toString: 100.00, 1.2E-17, 0E-18; `strip` takes zeros at the end off first, which may
 * give 1E+2. Returns the length. */
size_t oriel_java_decimal(oriel_i128 value, unsigned scale, bool strip,
                          char out[ORIEL_JAVA_TEXT_BYTES]);

/* LocalDateTime, Instant and LocalTime.toString of a TIMESTAMP, TIMESTAMP_LTZ or TIME:
 * 2024-01-02T03:04, 2024-01-02T03:04:00Z, 03:04:05.120. Returns the length. */
size_t oriel_java_time(const struct oriel_column *column, size_t row,
                       char out[ORIEL_JAVA_TEXT_BYTES]);
