/*
 * Inside engine/functions: writing the strings of a result. Long ones lie in the batch arena.
 */
#pragma once

#include "engine/functions/rows.h"
#include "engine/functions/signature.h"

enum { ORIEL_TEXT_RESULT_BYTES_MAX = 1 << 30 }; /* of one value */

/* A copy of the bytes; ORIEL_MEMORY or, for a text too long, ORIEL_RUNTIME. */
enum oriel_status oriel_text_set(const struct oriel_call *call,
                                 struct oriel_evaluation *evaluation, struct oriel_column *out,
                                 size_t row, const char *bytes, size_t length);

/* Room for `length` bytes that the caller fills and then gives to oriel_text_point. */
enum oriel_status oriel_text_room(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation, size_t length, char **out);

/* The bytes themselves, which live as long as the batch. */
static inline void oriel_text_point(struct oriel_column *out, size_t row, const char *bytes,
                                    size_t length) {
    ((struct oriel_string *)out->values)[row] = oriel_string_make(bytes, length);
}

static inline void oriel_text_clear(struct oriel_column *out, size_t row) {
    memset((struct oriel_string *)out->values + row, 0, sizeof(struct oriel_string));
}

static inline struct oriel_text oriel_text_at(const struct oriel_column *column, size_t row) {
    return oriel_string_text((const struct oriel_string *)column->values + row);
}
