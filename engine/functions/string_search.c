/*
 * Finding texts in texts and counting characters: POSITION, LOCATE, INSTR, STARTSWITH, ENDSWITH,
 * CHAR_LENGTH, ASCII. Positions count characters from 1; 0 says that there is none.
 */
#include "engine/functions/function_table.h"
#include "engine/functions/text_result.h"
#include "engine/functions/utf8.h"

enum { NOT_FOUND = -1 };

/* Byte offset of `needle` at or behind `from`. */
static int64_t find(struct oriel_text text, struct oriel_text needle, size_t from) {
    if (from > text.length)
        return NOT_FOUND;
    if (needle.length == 0)
        return (int64_t)from;
    const char *at = memmem(text.bytes + from, text.length - from, needle.bytes, needle.length);
    return at ? at - text.bytes : NOT_FOUND;
}

static int64_t find_last(struct oriel_text text, struct oriel_text needle, size_t until) {
    for (size_t at = until + 1; at-- > 0;) {
        if (at + needle.length <= text.length &&
            (needle.length == 0 || memcmp(text.bytes + at, needle.bytes, needle.length) == 0))
            return (int64_t)at;
    }
    return NOT_FOUND;
}

static int32_t position_of(struct oriel_text text, int64_t at) {
    return at == NOT_FOUND ? 0 : (int32_t)oriel_utf8_count(text.bytes, (size_t)at) + 1;
}

/* (needle, text [, from]) */
static enum oriel_status locate_row(const struct oriel_call *call,
                                    struct oriel_evaluation *evaluation,
                                    const struct oriel_column *arguments, size_t row,
                                    struct oriel_column *out) {
    (void)evaluation;
    const struct oriel_text needle = oriel_text_at(&arguments[0], row);
    const struct oriel_text text = oriel_text_at(&arguments[1], row);
    const int32_t from = call->argument_count > 2 ? oriel_i32_at(&arguments[2], row) : 1;
    size_t start = 0;
    if (needle.length == 0) {
        oriel_i32_set(out, row, 1);
        return ORIEL_OK;
    }
    if (from > 1) {
        start = oriel_utf8_offset(text.bytes, text.length, (size_t)from - 1);
        if (start == text.length)
            return ORIEL_OK;
    }
    oriel_i32_set(out, row, position_of(text, find(text, needle, start)));
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(locate)

/* (text, needle [, from [, n]]): the n-th occurrence; a negative `from` searches backwards. */
static enum oriel_status instr_row(const struct oriel_call *call,
                                   struct oriel_evaluation *evaluation,
                                   const struct oriel_column *arguments, size_t row,
                                   struct oriel_column *out) {
    const struct oriel_text text = oriel_text_at(&arguments[0], row);
    const struct oriel_text needle = oriel_text_at(&arguments[1], row);
    const int64_t from = call->argument_count > 2 ? oriel_i32_at(&arguments[2], row) : 1;
    int64_t left = call->argument_count > 3 ? oriel_i32_at(&arguments[3], row) : 1;
    if (left <= 0)
        return oriel_error_at(evaluation->error, ORIEL_RUNTIME, call->position,
                              "INSTR: the fourth argument must be positive");
    if (needle.length == 0)
        oriel_i32_set(out, row, 1);
    if (needle.length == 0 || from == 0)
        return ORIEL_OK;
    int64_t at = NOT_FOUND;
    if (from > 0) {
        size_t next = oriel_utf8_offset(text.bytes, text.length, (size_t)from - 1);
        for (; left > 0 && (at = find(text, needle, next)) != NOT_FOUND; left--)
            next = (size_t)at + 1;
    } else {
        const int64_t characters = (int64_t)oriel_utf8_count(text.bytes, text.length);
        if (characters + from < 0)
            return ORIEL_OK;
        int64_t until =
            (int64_t)oriel_utf8_offset(text.bytes, text.length, (size_t)(characters + from));
        for (; left > 0; left--) {
            at = until < 0 ? NOT_FOUND : find_last(text, needle, (size_t)until);
            if (at == NOT_FOUND)
                break;
            until = at - 1;
        }
    }
    oriel_i32_set(out, row, position_of(text, at));
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(instr)

static enum oriel_status starts_with(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row_count,
                                     struct oriel_column *out) {
    (void)call;
    uint8_t *results = out->values;
    for (size_t row = 0; row < row_count; row++) {
        results[row] = 0;
        if (!oriel_row_counts(evaluation, out, row))
            continue;
        const struct oriel_text text = oriel_text_at(&arguments[0], row);
        const struct oriel_text start = oriel_text_at(&arguments[1], row);
        results[row] =
            start.length <= text.length && memcmp(text.bytes, start.bytes, start.length) == 0;
    }
    return ORIEL_OK;
}

static enum oriel_status ends_with(const struct oriel_call *call,
                                   struct oriel_evaluation *evaluation,
                                   const struct oriel_column *arguments, size_t row_count,
                                   struct oriel_column *out) {
    (void)call;
    uint8_t *results = out->values;
    for (size_t row = 0; row < row_count; row++) {
        results[row] = 0;
        if (!oriel_row_counts(evaluation, out, row))
            continue;
        const struct oriel_text text = oriel_text_at(&arguments[0], row);
        const struct oriel_text end = oriel_text_at(&arguments[1], row);
        results[row] = end.length <= text.length &&
                       memcmp(text.bytes + text.length - end.length, end.bytes, end.length) == 0;
    }
    return ORIEL_OK;
}

static enum oriel_status char_length(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row_count,
                                     struct oriel_column *out) {
    (void)call;
    for (size_t row = 0; row < row_count; row++) {
        int32_t count = 0;
        if (oriel_row_counts(evaluation, out, row)) {
            const struct oriel_text text = oriel_text_at(&arguments[0], row);
            count = (int32_t)oriel_utf8_count(text.bytes, text.length);
        }
        oriel_i32_set(out, row, count);
    }
    return ORIEL_OK;
}

/* The first byte, signed as Java's bytes are. */
static enum oriel_status ascii(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                               const struct oriel_column *arguments, size_t row_count,
                               struct oriel_column *out) {
    (void)call;
    for (size_t row = 0; row < row_count; row++) {
        int32_t code = 0;
        if (oriel_row_counts(evaluation, out, row)) {
            const struct oriel_text text = oriel_text_at(&arguments[0], row);
            code = text.length ? (signed char)text.bytes[0] : 0;
        }
        oriel_i32_set(out, row, code);
    }
    return ORIEL_OK;
}

static enum oriel_status bind_int(struct oriel_binding *binding, const char *pattern,
                                  const char *forms, oriel_evaluate *evaluate,
                                  struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, pattern, forms, error));
    return oriel_bind_result(binding, oriel_type_make(ORIEL_TYPE_INT), evaluate);
}

static enum oriel_status bind_locate(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_int(binding, "ssi", "'(<STRING>, <STRING>[, <INT>])'", locate, error);
}

static enum oriel_status bind_instr(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_int(binding, "ssi", "'INSTR(<STRING>, <STRING>[, <INT>[, <INT>]])'", instr, error);
}

static enum oriel_status bind_char_length(struct oriel_binding *binding,
                                          struct oriel_error *error) {
    return bind_int(binding, "s", "'CHAR_LENGTH(<STRING>)'", char_length, error);
}

static enum oriel_status bind_ascii(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_int(binding, "s", "'ASCII(<STRING>)'", ascii, error);
}

static enum oriel_status bind_ends(struct oriel_binding *binding, oriel_evaluate *evaluate,
                                   struct oriel_error *error) {
    const bool binary = oriel_type_is_binary(&binding->argument_types[0]);
    ORIEL_TRY(oriel_bind_arguments(binding, "S", "two strings or two binary strings", error));
    if (oriel_type_is_binary(&binding->argument_types[1]) != binary)
        return oriel_bind_refuse(binding, "two strings or two binary strings", error);
    return oriel_bind_result(binding, oriel_type_make(ORIEL_TYPE_BOOLEAN), evaluate);
}

static enum oriel_status bind_starts_with(struct oriel_binding *binding,
                                          struct oriel_error *error) {
    return bind_ends(binding, starts_with, error);
}

static enum oriel_status bind_ends_with(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_ends(binding, ends_with, error);
}

static const struct oriel_function rows[] = {
    {"ASCII", 1, 1, ORIEL_FUNCTION_STRICT, bind_ascii, NULL},
    {"CHARACTER_LENGTH", 1, 1, ORIEL_FUNCTION_STRICT, bind_char_length, NULL},
    {"CHAR_LENGTH", 1, 1, ORIEL_FUNCTION_STRICT, bind_char_length, NULL},
    {"ENDSWITH", 2, 2, ORIEL_FUNCTION_STRICT, bind_ends_with, NULL},
    {"INSTR", 2, 4, ORIEL_FUNCTION_STRICT, bind_instr, NULL},
    {"LOCATE", 2, 3, ORIEL_FUNCTION_STRICT, bind_locate, NULL},
    {"POSITION", 2, 3, ORIEL_FUNCTION_STRICT, bind_locate, NULL},
    {"STARTSWITH", 2, 2, ORIEL_FUNCTION_STRICT, bind_starts_with, NULL},
};

const struct oriel_function_group oriel_functions_string_search = {rows,
                                                                   sizeof rows / sizeof rows[0]};
