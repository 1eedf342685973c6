/*
 * Values as JSON, as Flink's JSON functions write them: numbers with all their digits, BYTES in
 * base64, TIMESTAMP as 2024-01-01T10:00:00.5 (TIMESTAMP_LTZ in UTC, with Z), ARRAY as an array, MAP
 * and ROW as objects.
 */
#pragma once

#include "engine/columns/value_text.h"

/* NULL if values of the type can be written, else the part of the type that cannot. */
const struct oriel_type *oriel_json_unwritable(const struct oriel_type *type);

/* Appends the value at `value`, which is not NULL; ORIEL_MEMORY when there is none. */
enum oriel_status oriel_json_append(struct oriel_text_buffer *text, const struct oriel_type *type,
                                    const void *value);

/* Appends a text in quotes. */
enum oriel_status oriel_json_append_text(struct oriel_text_buffer *text, const char *bytes,
                                         size_t length);

/* Appends digits * 10^-scale as BigDecimal.toString has it; the digits have no zeros in front. */
enum oriel_status oriel_json_append_decimal(struct oriel_text_buffer *text, bool negative,
                                            const char *digits, int count, int scale);
