/*
 * What a string is (IS_ALPHA, IS_DIGIT, IS_DECIMAL), which of several it is (ELT), what a value's
 * type is (TYPEOF), and strings of addresses (URL_ENCODE, URL_DECODE).
 */
#include <unicode/uchar.h>

#include "engine/base/decimal.h"
#include "engine/functions/function_table.h"
#include "engine/functions/text_result.h"
#include "engine/functions/utf8.h"

enum { TYPE_TEXT_BYTES = 512 };

typedef bool test_text(struct oriel_text text);

static bool all_letters(struct oriel_text text) {
    for (size_t at = 0; at < text.length;) {
        if (!u_isalpha((UChar32)oriel_utf8_next(text.bytes, text.length, &at)))
            return false;
    }
    return text.length > 0;
}

static bool all_digits(struct oriel_text text) {
    for (size_t at = 0; at < text.length;) {
        if (!u_isdigit((UChar32)oriel_utf8_next(text.bytes, text.length, &at)))
            return false;
    }
    return text.length > 0;
}

static bool is_number(struct oriel_text text) {
    oriel_i128 ignored;
    return oriel_decimal_parse(text.bytes, text.length, ORIEL_DECIMAL_PRECISION_MAX, 0, &ignored) !=
           1;
}

struct test_row {
    const char *name;
    test_text *test;
};

static const struct test_row test_rows[] = {
    {"IS_ALPHA", all_letters},
    {"IS_DECIMAL", is_number},
    {"IS_DIGIT", all_digits},
};

/* NULL is none of them. */
static enum oriel_status test_rows_of(const struct oriel_call *call,
                                      struct oriel_evaluation *evaluation,
                                      const struct oriel_column *arguments, size_t row_count,
                                      struct oriel_column *out) {
    const struct test_row *row_of_test = call->state;
    uint8_t *results = out->values;
    for (size_t row = 0; row < row_count; row++) {
        results[row] = oriel_row_counts(evaluation, out, row) &&
                       !oriel_column_is_null(&arguments[0], row) &&
                       row_of_test->test(oriel_text_at(&arguments[0], row));
    }
    return ORIEL_OK;
}

static enum oriel_status bind_test(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, "s", "a character string", error));
    for (size_t i = 0; i < sizeof test_rows / sizeof test_rows[0]; i++) {
        if (strcmp(test_rows[i].name, binding->name) == 0)
            binding->state = &test_rows[i];
    }
    oriel_bind_result(binding, oriel_type_make(ORIEL_TYPE_BOOLEAN), test_rows_of);
    binding->result.nullable = false;
    return ORIEL_OK;
}

static enum oriel_status elt(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                             const struct oriel_column *arguments, size_t row_count,
                             struct oriel_column *out) {
    struct oriel_string *to = out->values;
    for (size_t row = 0; row < row_count; row++) {
        memset(&to[row], 0, sizeof to[row]);
        const int32_t index = oriel_i32_at(&arguments[0], row);
        const bool fits = oriel_row_counts(evaluation, out, row) &&
                          !oriel_column_is_null(&arguments[0], row) && index >= 1 &&
                          (uint32_t)index < call->argument_count;
        if (fits && !oriel_column_is_null(&arguments[index], row))
            to[row] = ((const struct oriel_string *)arguments[index].values)[row];
        else
            oriel_column_set_null(out, row);
    }
    return ORIEL_OK;
}

static enum oriel_status bind_elt(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, "is", "'ELT(<INT>, <STRING>, ...)'", error));
    struct oriel_type type = binding->casts[1];
    for (uint32_t i = 2; i < binding->argument_count; i++)
        oriel_type_unify(&type, &binding->casts[i], &type);
    oriel_bind_result(binding, type, elt);
    binding->result.nullable = true;
    return ORIEL_OK;
}

static enum oriel_status type_name(const struct oriel_call *call,
                                   struct oriel_evaluation *evaluation,
                                   const struct oriel_column *arguments, size_t row_count,
                                   struct oriel_column *out) {
    (void)evaluation, (void)arguments;
    for (size_t row = 0; row < row_count; row++)
        oriel_text_point(out, row, call->state, strlen(call->state));
    return ORIEL_OK;
}

static enum oriel_status bind_typeof(struct oriel_binding *binding, struct oriel_error *error) {
    char *text = oriel_bind_state(binding, TYPE_TEXT_BYTES, error);
    if (!text)
        return ORIEL_MEMORY;
    oriel_type_print(&binding->argument_types[0], true, text, TYPE_TEXT_BYTES);
    oriel_bind_result(binding, oriel_type_string(), type_name);
    binding->result.nullable = true;
    return ORIEL_OK;
}

static enum oriel_status url_encode_row(const struct oriel_call *call,
                                        struct oriel_evaluation *evaluation,
                                        const struct oriel_column *arguments, size_t row,
                                        struct oriel_column *out) {
    const struct oriel_text text = oriel_text_at(&arguments[0], row);
    char *room;
    ORIEL_TRY(oriel_text_room(call, evaluation, 3 * text.length, &room));
    char *to = room;
    for (size_t i = 0; i < text.length; i++) {
        const unsigned char byte = (unsigned char)text.bytes[i];
        if ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
            (byte >= '0' && byte <= '9') || (byte && strchr("*-_.", byte))) {
            *to++ = (char)byte;
        } else if (byte == ' ') {
            *to++ = '+';
        } else {
            *to++ = '%';
            *to++ = "0123456789ABCDEF"[byte >> 4];
            *to++ = "0123456789ABCDEF"[byte & 15];
        }
    }
    oriel_text_point(out, row, room, (size_t)(to - room));
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(url_encode)

static int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* NULL for a percent sign that two digits do not follow. */
static enum oriel_status url_decode_row(const struct oriel_call *call,
                                        struct oriel_evaluation *evaluation,
                                        const struct oriel_column *arguments, size_t row,
                                        struct oriel_column *out) {
    const struct oriel_text text = oriel_text_at(&arguments[0], row);
    char *room;
    ORIEL_TRY(oriel_text_room(call, evaluation, text.length, &room));
    size_t length = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (text.bytes[i] != '%') {
            room[length++] = text.bytes[i] == '+' ? ' ' : text.bytes[i];
            continue;
        }
        const int high = i + 2 < text.length ? hex_digit(text.bytes[i + 1]) : -1;
        const int low = i + 2 < text.length ? hex_digit(text.bytes[i + 2]) : -1;
        if (high < 0 || low < 0) {
            oriel_column_set_null(out, row);
            return ORIEL_OK;
        }
        room[length++] = (char)(high << 4 | low);
        i += 2;
    }
    struct oriel_text decoded;
    ORIEL_TRY(oriel_text_decode(call, evaluation, (struct oriel_text){room, length}, &decoded));
    oriel_text_point(out, row, decoded.bytes, decoded.length);
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(url_decode)

static enum oriel_status bind_url(struct oriel_binding *binding, oriel_evaluate *evaluate,
                                  struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, "s", "a character string", error));
    oriel_bind_result(binding, oriel_type_string(), evaluate);
    binding->result.nullable = true;
    return ORIEL_OK;
}

static enum oriel_status bind_url_encode(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_url(binding, url_encode, error);
}

static enum oriel_status bind_url_decode(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_url(binding, url_decode, error);
}

static const struct oriel_function rows[] = {
    {"ELT", 2, ORIEL_ARGUMENTS_ANY, 0, bind_elt, NULL},
    {"IS_ALPHA", 1, 1, 0, bind_test, NULL},
    {"IS_DECIMAL", 1, 1, 0, bind_test, NULL},
    {"IS_DIGIT", 1, 1, 0, bind_test, NULL},
    {"TYPEOF", 1, 1, 0, bind_typeof, NULL},
    {"URL_DECODE", 1, 1, ORIEL_FUNCTION_STRICT, bind_url_decode, NULL},
    {"URL_ENCODE", 1, 1, ORIEL_FUNCTION_STRICT, bind_url_encode, NULL},
};

const struct oriel_function_group oriel_functions_string_property = {rows,
                                                                     sizeof rows / sizeof rows[0]};
