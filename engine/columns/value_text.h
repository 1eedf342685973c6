/*
 * Values as text: what Flink prints, which is also what CAST(x AS STRING) gives for most types.
 */
#pragma once

#include "engine/columns/batch.h"

struct oriel_zone;

enum { ORIEL_VALUE_TEXT_BYTES = 48 };

/* A text that grows; owned by `memory`. */
struct oriel_text_buffer {
    struct oriel_memory *memory;
    char *bytes;
    size_t length;
    size_t capacity;
};

void oriel_text_buffer_init(struct oriel_text_buffer *buffer, struct oriel_memory *memory);
void oriel_text_buffer_deinit(struct oriel_text_buffer *buffer);

/* Make room for `extra` more bytes behind length, or append; ORIEL_MEMORY when that fails. */
enum oriel_status oriel_text_buffer_reserve(struct oriel_text_buffer *buffer, size_t extra);
enum oriel_status oriel_text_buffer_append(struct oriel_text_buffer *buffer, const char *bytes,
                                           size_t length);

/*
 * Appends the value of a row as Flink's tableau shows it, `<NULL>` for NULL (also inside nested
 * values: NULL there): TRUE, 1.0E7, 2024-01-01 00:00:00.000, x'0aff', [1, 2], (1, x), {k=1},
 * +1 00:00:00.000. TIMESTAMP_LTZ is shown in `zone`, NULL for UTC.
 */
enum oriel_status oriel_value_print(struct oriel_text_buffer *buffer,
                                    const struct oriel_column *column, size_t row,
                                    const struct oriel_zone *zone);

/* Writes the value at `value`, which is not NULL and no string, binary or nested value; returns the
 * length. For writers that have their own buffers. */
size_t oriel_value_print_fixed(const struct oriel_type *type, const void *value,
                               const struct oriel_zone *zone, char out[ORIEL_VALUE_TEXT_BYTES]);
