/*
 * INET_ATON and INET_NTOA: IPv4 addresses as text and as numbers. What is no address gives NULL.
 */
#include <stdio.h>

#include "engine/functions/function_table.h"
#include "engine/functions/text_result.h"

/* Up to four parts of at most 255; the last one of fewer stands at the end, so 127.1 is 127.0.0.1.
 */
static bool parse_address(struct oriel_text text, int64_t *out) {
    enum { PARTS_MAX = 4, PART_MAX = 255 };
    int64_t parts[PARTS_MAX] = {0};
    uint32_t count = 0, digits = 0;
    for (size_t i = 0; i < text.length; i++) {
        const char byte = text.bytes[i];
        if (byte == '.') {
            if (digits == 0 || ++count == PARTS_MAX)
                return false;
            digits = 0;
        } else if (byte >= '0' && byte <= '9') {
            parts[count] = parts[count] * 10 + (byte - '0');
            digits++;
            if (parts[count] > PART_MAX)
                return false;
        } else {
            return false;
        }
    }
    if (digits == 0)
        return false;
    const int64_t last = parts[count];
    parts[count] = 0;
    parts[PARTS_MAX - 1] = last;
    *out = parts[0] << 24 | parts[1] << 16 | parts[2] << 8 | parts[3];
    return true;
}

static enum oriel_status to_number(const struct oriel_call *call,
                                   struct oriel_evaluation *evaluation,
                                   const struct oriel_column *arguments, size_t row_count,
                                   struct oriel_column *out) {
    (void)call;
    for (size_t row = 0; row < row_count; row++) {
        int64_t *const value = (int64_t *)out->values + row;
        *value = 0;
        if (oriel_row_counts(evaluation, out, row) &&
            !parse_address(oriel_text_at(&arguments[0], row), value))
            oriel_column_set_null(out, row);
    }
    return ORIEL_OK;
}

static enum oriel_status to_text_row(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row,
                                     struct oriel_column *out) {
    const int64_t value = ((const int64_t *)arguments[0].values)[row];
    char text[32];
    if (value < 0 || value > UINT32_MAX) {
        oriel_column_set_null(out, row);
        return ORIEL_OK;
    }
    const int length = snprintf(text, sizeof text, "%u.%u.%u.%u", (unsigned)(value >> 24),
                                (unsigned)(value >> 16 & 255), (unsigned)(value >> 8 & 255),
                                (unsigned)(value & 255));
    return oriel_text_set(call, evaluation, out, row, text, (size_t)length);
}

ORIEL_TEXT_EACH(to_text)

static enum oriel_status bind_to_number(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, "s", "'INET_ATON(<STRING>)'", error));
    oriel_bind_result(binding, oriel_type_make(ORIEL_TYPE_BIGINT), to_number);
    binding->result.nullable = true;
    return ORIEL_OK;
}

static enum oriel_status bind_to_text(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, "l", "'INET_NTOA(<INTEGER>)'", error));
    oriel_bind_result(binding, oriel_type_string(), to_text);
    binding->result.nullable = true;
    return ORIEL_OK;
}

static const struct oriel_function rows[] = {
    {"INET_ATON", 1, 1, ORIEL_FUNCTION_STRICT, bind_to_number, NULL},
    {"INET_NTOA", 1, 1, ORIEL_FUNCTION_STRICT, bind_to_text, NULL},
};

const struct oriel_function_group oriel_functions_string_inet = {rows,
                                                                 sizeof rows / sizeof rows[0]};
