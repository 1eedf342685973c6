/*
 * Other notations: TO_BASE64, FROM_BASE64, HEX, UNHEX, BIN.
 */
#include <stdio.h>

#include "engine/functions/function_table.h"
#include "engine/functions/text_result.h"

static const char base64_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static enum oriel_status to_base64_row(const struct oriel_call *call,
                                       struct oriel_evaluation *evaluation,
                                       const struct oriel_column *arguments, size_t row,
                                       struct oriel_column *out) {
    const struct oriel_text text = oriel_text_at(&arguments[0], row);
    const unsigned char *from = (const unsigned char *)text.bytes;
    char *room;
    ORIEL_TRY(oriel_text_room(call, evaluation, (text.length + 2) / 3 * 4, &room));
    char *to = room;
    for (size_t i = 0; i < text.length; i += 3) {
        const size_t left = text.length - i;
        const uint32_t bits = (uint32_t)from[i] << 16 |
                              (left > 1 ? (uint32_t)from[i + 1] << 8 : 0) |
                              (left > 2 ? from[i + 2] : 0u);
        *to++ = base64_digits[bits >> 18];
        *to++ = base64_digits[bits >> 12 & 63];
        *to++ = left > 1 ? base64_digits[bits >> 6 & 63] : '=';
        *to++ = left > 2 ? base64_digits[bits & 63] : '=';
    }
    oriel_text_point(out, row, room, (size_t)(to - room));
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(to_base64)

static enum oriel_status bad_base64(const struct oriel_call *call,
                                    struct oriel_evaluation *evaluation) {
    return oriel_error_at(evaluation->error, ORIEL_RUNTIME, call->position,
                          "FROM_BASE64: the text is no base64");
}

/* Digits in fours, the last group may lack its padding. */
static enum oriel_status from_base64_row(const struct oriel_call *call,
                                         struct oriel_evaluation *evaluation,
                                         const struct oriel_column *arguments, size_t row,
                                         struct oriel_column *out) {
    struct oriel_text text = oriel_text_at(&arguments[0], row);
    const size_t padded = text.length;
    while (text.length && text.bytes[text.length - 1] == '=')
        text.length--;
    if (padded - text.length > 2 || (padded > text.length && padded % 4) || text.length % 4 == 1)
        return bad_base64(call, evaluation);
    char *room;
    ORIEL_TRY(oriel_text_room(call, evaluation, text.length, &room));
    char *to = room;
    uint32_t bits = 0;
    unsigned bit_count = 0;
    for (size_t i = 0; i < text.length; i++) {
        const char *digit = text.bytes[i] ? strchr(base64_digits, text.bytes[i]) : NULL;
        if (!digit)
            return bad_base64(call, evaluation);
        bits = (bits << 6 | (uint32_t)(digit - base64_digits)) & 0xffffff;
        bit_count += 6;
        if (bit_count >= 8) {
            bit_count -= 8;
            *to++ = (char)(bits >> bit_count & 255);
        }
    }
    struct oriel_text decoded;
    ORIEL_TRY(oriel_text_decode(call, evaluation, (struct oriel_text){room, (size_t)(to - room)},
                                &decoded));
    oriel_text_point(out, row, decoded.bytes, decoded.length);
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(from_base64)

static enum oriel_status hex_text_row(const struct oriel_call *call,
                                      struct oriel_evaluation *evaluation,
                                      const struct oriel_column *arguments, size_t row,
                                      struct oriel_column *out) {
    const struct oriel_text text = oriel_text_at(&arguments[0], row);
    char *room;
    ORIEL_TRY(oriel_text_room(call, evaluation, 2 * text.length, &room));
    for (size_t i = 0; i < text.length; i++) {
        const unsigned char byte = (unsigned char)text.bytes[i];
        room[2 * i] = "0123456789ABCDEF"[byte >> 4];
        room[2 * i + 1] = "0123456789ABCDEF"[byte & 15];
    }
    oriel_text_point(out, row, room, 2 * text.length);
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(hex_text)

static enum oriel_status hex_number_row(const struct oriel_call *call,
                                        struct oriel_evaluation *evaluation,
                                        const struct oriel_column *arguments, size_t row,
                                        struct oriel_column *out) {
    char text[24];
    const uint64_t value = (uint64_t)((const int64_t *)arguments[0].values)[row];
    const int length = snprintf(text, sizeof text, "%llX", (unsigned long long)value);
    return oriel_text_set(call, evaluation, out, row, text, (size_t)length);
}

ORIEL_TEXT_EACH(hex_number)

static int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* An odd digit in front is a byte of its own; NULL for a text that is no hexadecimal. */
static enum oriel_status unhex_row(const struct oriel_call *call,
                                   struct oriel_evaluation *evaluation,
                                   const struct oriel_column *arguments, size_t row,
                                   struct oriel_column *out) {
    const struct oriel_text text = oriel_text_at(&arguments[0], row);
    const size_t odd = text.length % 2;
    char *room;
    ORIEL_TRY(oriel_text_room(call, evaluation, text.length / 2 + 1, &room));
    memset(room, 0, text.length / 2 + 1);
    for (size_t i = 0; i < text.length; i++) {
        const int digit = hex_digit(text.bytes[i]);
        if (digit < 0) {
            oriel_column_set_null(out, row);
            return ORIEL_OK;
        }
        char *byte = &room[(i + odd) / 2];
        *byte = (char)(((unsigned char)*byte << 4 | digit) & 255);
    }
    oriel_text_point(out, row, room, text.length / 2 + odd);
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(unhex)

static enum oriel_status bin_row(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                                 const struct oriel_column *arguments, size_t row,
                                 struct oriel_column *out) {
    char text[64];
    uint64_t value = (uint64_t)((const int64_t *)arguments[0].values)[row];
    size_t start = sizeof text;
    do {
        text[--start] = (char)('0' + (value & 1));
        value >>= 1;
    } while (value);
    return oriel_text_set(call, evaluation, out, row, text + start, sizeof text - start);
}

ORIEL_TEXT_EACH(bin)

static enum oriel_status bind_string(struct oriel_binding *binding, const char *pattern,
                                     const char *forms, oriel_evaluate *evaluate,
                                     struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, pattern, forms, error));
    return oriel_bind_result(binding, oriel_type_string(), evaluate);
}

static enum oriel_status bind_to_base64(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_string(binding, "s", "'TO_BASE64(<STRING>)'", to_base64, error);
}

static enum oriel_status bind_from_base64(struct oriel_binding *binding,
                                          struct oriel_error *error) {
    return bind_string(binding, "s", "'FROM_BASE64(<STRING>)'", from_base64, error);
}

static enum oriel_status bind_hex(struct oriel_binding *binding, struct oriel_error *error) {
    const bool number = oriel_type_is_integer(&binding->argument_types[0]);
    return bind_string(binding, number ? "l" : "s", "'HEX(<INT>)', 'HEX(<STRING>)'",
                       number ? hex_number : hex_text, error);
}

static enum oriel_status bind_unhex(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(bind_string(binding, "s", "'UNHEX(<STRING>)'", unhex, error));
    binding->result = oriel_type_make(ORIEL_TYPE_VARBINARY);
    binding->result.length = ORIEL_LENGTH_MAX;
    return ORIEL_OK;
}

static enum oriel_status bind_bin(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_string(binding, "l", "'BIN(<INT>)'", bin, error);
}

static const struct oriel_function rows[] = {
    {"BIN", 1, 1, ORIEL_FUNCTION_STRICT, bind_bin, NULL},
    {"FROM_BASE64", 1, 1, ORIEL_FUNCTION_STRICT, bind_from_base64, NULL},
    {"HEX", 1, 1, ORIEL_FUNCTION_STRICT, bind_hex, NULL},
    {"TO_BASE64", 1, 1, ORIEL_FUNCTION_STRICT, bind_to_base64, NULL},
    {"UNHEX", 1, 1, ORIEL_FUNCTION_STRICT, bind_unhex, NULL},
};

const struct oriel_function_group oriel_functions_string_encode = {rows,
                                                                   sizeof rows / sizeof rows[0]};
