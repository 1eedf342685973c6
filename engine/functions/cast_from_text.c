/*
 * Casts from strings. What cannot be read is an error with the text in it, or NULL for TRY_CAST.
 */
#include "engine/base/decimal.h"
#include "engine/base/number_text.h"
#include "engine/functions/cast.h"
#include "engine/functions/moment.h"
#include "engine/functions/text_result.h"
#include "engine/functions/time_text.h"

/* Java's trim: blanks and control characters. */
static struct oriel_text trim(struct oriel_text text) {
    while (text.length && (unsigned char)text.bytes[0] <= ' ') {
        text.bytes++;
        text.length--;
    }
    while (text.length && (unsigned char)text.bytes[text.length - 1] <= ' ')
        text.length--;
    return text;
}

/* Digits behind a point are read and dropped. NULL, or why the text is no integer. */
static const char *read_integer(struct oriel_text text, int64_t low, int64_t high, int64_t *out) {
    *out = 0;
    if (text.length == 0)
        return "Input is empty.";
    if (text.length == 1 && (text.bytes[0] == '-' || text.bytes[0] == '+'))
        return "Input has only positive or negative symbol.";
    const char *point = memchr(text.bytes, '.', text.length);
    size_t whole = point ? (size_t)(point - text.bytes) : text.length;
    for (size_t i = whole + 1; i < text.length; i++) {
        if (text.bytes[i] < '0' || text.bytes[i] > '9')
            return "Invalid character found.";
    }
    if (whole == 0 || (whole == 1 && (text.bytes[0] == '-' || text.bytes[0] == '+')))
        return NULL;
    switch (oriel_integer_parse(text.bytes, whole, low, high, out)) {
    case ORIEL_INTEGER_OK: return NULL;
    case ORIEL_INTEGER_RANGE: return "Overflow.";
    default: return "Invalid character found.";
    }
}

static const char *to_integer(const struct oriel_type *to, struct oriel_text text, void *values,
                              size_t row) {
    const size_t value_bytes = oriel_physical_size(oriel_type_physical(to));
    const int64_t high = INT64_MAX >> (64 - 8 * value_bytes);
    int64_t value;
    const char *reason = read_integer(trim(text), -high - 1, high, &value);
    if (!reason)
        memcpy((char *)values + row * value_bytes, &value, value_bytes);
    return reason;
}

static const char *to_float(const struct oriel_type *to, struct oriel_text text, void *values,
                            size_t row) {
    bool read;
    if (to->id == ORIEL_TYPE_FLOAT)
        read = oriel_float_parse(text.bytes, text.length, (float *)values + row);
    else
        read = oriel_double_parse(text.bytes, text.length, (double *)values + row);
    return read ? NULL : "It is no number.";
}

static const char *to_decimal(const struct oriel_type *to, struct oriel_text text, void *values,
                              size_t row) {
    text = trim(text);
    switch (oriel_decimal_parse(text.bytes, text.length, to->precision, to->scale,
                                (oriel_i128 *)values + row)) {
    case 0: return NULL;
    case 1: return "It is no number.";
    default: return "Overflow.";
    }
}

static const char *to_boolean(const struct oriel_type *to, struct oriel_text text, void *values,
                              size_t row) {
    (void)to;
    static const char *const words[2][5] = {{"false", "f", "no", "n", "0"},
                                            {"true", "t", "yes", "y", "1"}};
    for (uint8_t value = 0; value < 2; value++) {
        for (size_t i = 0; i < 5; i++) {
            if (oriel_text_equal_ignoring_case(text, oriel_text_of(words[value][i]))) {
                ((uint8_t *)values)[row] = value;
                return NULL;
            }
        }
    }
    return "It is no BOOLEAN.";
}

static const char *to_date(const struct oriel_type *to, struct oriel_text text, void *values,
                           size_t row) {
    (void)to;
    return oriel_time_text_date(text.bytes, text.length, (int32_t *)values + row)
               ? NULL
               : "It is no date; the form is yyyy-MM-dd.";
}

static const char *to_time(const struct oriel_type *to, struct oriel_text text, void *values,
                           size_t row) {
    int32_t ms;
    if (!oriel_time_text_time(text.bytes, text.length, &ms))
        return "It is no time; the form is HH:mm:ss[.fff].";
    oriel_moment_write(to, values, row, (struct oriel_moment){.ms = ms}, NULL);
    return NULL;
}

typedef const char *read_value(const struct oriel_type *to, struct oriel_text text, void *values,
                               size_t row);

static read_value *reader_of(enum oriel_type_id id) {
    switch (id) {
    case ORIEL_TYPE_BOOLEAN: return to_boolean;
    case ORIEL_TYPE_TINYINT:
    case ORIEL_TYPE_SMALLINT:
    case ORIEL_TYPE_INT:
    case ORIEL_TYPE_BIGINT: return to_integer;
    case ORIEL_TYPE_FLOAT:
    case ORIEL_TYPE_DOUBLE: return to_float;
    case ORIEL_TYPE_DECIMAL: return to_decimal;
    case ORIEL_TYPE_DATE: return to_date;
    case ORIEL_TYPE_TIME: return to_time;
    default: return NULL;
    }
}

static enum oriel_status read_rows(const struct oriel_call *call,
                                   struct oriel_evaluation *evaluation,
                                   const struct oriel_column *arguments, size_t row_count,
                                   struct oriel_column *out) {
    read_value *read = reader_of(call->result.id);
    memset(out->values, 0, row_count * oriel_physical_size(oriel_type_physical(&call->result)));
    for (size_t row = 0; row < row_count; row++) {
        if (!oriel_row_counts(evaluation, out, row))
            continue;
        const struct oriel_text text = oriel_text_at(&arguments[0], row);
        const char *reason = read(&call->result, text, out->values, row);
        if (reason)
            ORIEL_TRY(oriel_cast_failed(call, evaluation, out, row, text, reason));
    }
    return ORIEL_OK;
}

static enum oriel_status read_timestamps(const struct oriel_call *call,
                                         struct oriel_evaluation *evaluation,
                                         const struct oriel_column *arguments, size_t row_count,
                                         struct oriel_column *out) {
    memset(out->values, 0, row_count * oriel_physical_size(oriel_type_physical(&call->result)));
    for (size_t row = 0; row < row_count; row++) {
        if (!oriel_row_counts(evaluation, out, row))
            continue;
        const struct oriel_text text = oriel_text_at(&arguments[0], row);
        struct oriel_moment moment;
        if (!oriel_time_text_timestamp(text.bytes, text.length, &moment.ms, &moment.ns)) {
            ORIEL_TRY(oriel_cast_failed(call, evaluation, out, row, text,
                                        "It is no timestamp; the form is yyyy-MM-dd HH:mm:ss."));
            continue;
        }
        oriel_moment_floor(&call->result, &moment);
        oriel_moment_write(&call->result, out->values, row, moment, evaluation->runtime->zone);
    }
    return ORIEL_OK;
}

oriel_evaluate *oriel_cast_from_text(const struct oriel_cast *cast) {
    if (!oriel_type_is_character(&cast->from))
        return NULL;
    if (oriel_type_is_timestamp(&cast->to))
        return read_timestamps;
    return reader_of(cast->to.id) ? read_rows : NULL;
}
