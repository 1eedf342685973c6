/*
 * Inside engine/functions: writing the strings of a result. Long ones lie in the batch arena.
 */
#pragma once

#include "engine/functions/rows.h"
#include "engine/functions/signature.h"

enum { ORIEL_TEXT_RESULT_BYTES_MAX = 1 << 27 }; /* of one value */

/* A copy of the bytes; ORIEL_MEMORY or, for a text too long, ORIEL_RUNTIME. */
enum oriel_status oriel_text_set(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                                 struct oriel_column *out, size_t row, const char *bytes,
                                 size_t length);

/* Room for `length` bytes that the caller fills and then gives to oriel_text_point. */
enum oriel_status oriel_text_room(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation, size_t length, char **out);

/* Bytes of any origin: what is no UTF-8 in them becomes U+FFFD. */
enum oriel_status oriel_text_decode(const struct oriel_call *call,
                                    struct oriel_evaluation *evaluation, struct oriel_text bytes,
                                    struct oriel_text *out);

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

typedef enum oriel_status oriel_text_row(const struct oriel_call *call,
                                         struct oriel_evaluation *evaluation,
                                         const struct oriel_column *arguments, size_t row,
                                         struct oriel_column *out);

/* Calls `compute` for the rows that count, after zeroing all values. */
static inline enum oriel_status oriel_text_each(const struct oriel_call *call,
                                                struct oriel_evaluation *evaluation,
                                                const struct oriel_column *arguments,
                                                size_t row_count, struct oriel_column *out,
                                                oriel_text_row *compute) {
    memset(out->values, 0, row_count * oriel_physical_size(oriel_type_physical(&call->result)));
    for (size_t row = 0; row < row_count; row++) {
        if (oriel_row_counts(evaluation, out, row))
            ORIEL_TRY(compute(call, evaluation, arguments, row, out));
    }
    return ORIEL_OK;
}

/* The evaluation `name` by name_row: one each, since a call keeps no more than its evaluation. */
#define ORIEL_TEXT_EACH(name)                                                                      \
    static enum oriel_status name(                                                                 \
        const struct oriel_call *call, struct oriel_evaluation *evaluation,                        \
        const struct oriel_column *arguments, size_t row_count, struct oriel_column *out) {        \
        return oriel_text_each(call, evaluation, arguments, row_count, out, name##_row);           \
    }

static inline int32_t oriel_i32_at(const struct oriel_column *column, size_t row) {
    return ((const int32_t *)column->values)[row];
}

static inline void oriel_i32_set(struct oriel_column *out, size_t row, int32_t value) {
    ((int32_t *)out->values)[row] = value;
}

/* VARCHAR(length); STRING from ORIEL_LENGTH_MAX on. */
static inline struct oriel_type oriel_text_type(int64_t length) {
    struct oriel_type type = oriel_type_string();
    if (length < ORIEL_LENGTH_MAX)
        type.length = (int32_t)length;
    return type;
}
