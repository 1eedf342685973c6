/*
 * ENCODE and DECODE: texts to bytes and back in the six charsets that Flink names. What does not
 * fit becomes '?' in bytes and U+FFFD in texts.
 */
#include <strings.h>

#include "engine/functions/function_table.h"
#include "engine/functions/text_result.h"
#include "engine/functions/utf8.h"

enum charset { CHARSET_ASCII, CHARSET_LATIN, CHARSET_UTF8, CHARSET_UTF16, CHARSET_BE, CHARSET_LE };

static const struct {
    const char *name;
    enum charset charset;
} charsets[] = {
    {"US-ASCII", CHARSET_ASCII},  {"ASCII", CHARSET_ASCII},  {"ISO-8859-1", CHARSET_LATIN},
    {"ISO8859-1", CHARSET_LATIN}, {"LATIN1", CHARSET_LATIN}, {"UTF-8", CHARSET_UTF8},
    {"UTF8", CHARSET_UTF8},       {"UTF-16", CHARSET_UTF16}, {"UTF-16BE", CHARSET_BE},
    {"UTF-16LE", CHARSET_LE},
};

static enum oriel_status find_charset(const struct oriel_call *call,
                                      struct oriel_evaluation *evaluation, struct oriel_text name,
                                      enum charset *out) {
    for (size_t i = 0; i < sizeof charsets / sizeof charsets[0]; i++) {
        if (strlen(charsets[i].name) == name.length &&
            strncasecmp(charsets[i].name, name.bytes, name.length) == 0) {
            *out = charsets[i].charset;
            return ORIEL_OK;
        }
    }
    return oriel_error_at(evaluation->error, ORIEL_RUNTIME, call->position,
                          "%s: unknown charset '%.*s'; there are US-ASCII, ISO-8859-1, UTF-8, "
                          "UTF-16, UTF-16BE and UTF-16LE",
                          call->function->name, (int)(name.length < 60 ? name.length : 60),
                          name.bytes);
}

static char *put_unit(char *to, uint32_t unit, bool little) {
    to[little] = (char)(unit >> 8 & 255);
    to[!little] = (char)(unit & 255);
    return to + 2;
}

static enum oriel_status encode_row(const struct oriel_call *call,
                                    struct oriel_evaluation *evaluation,
                                    const struct oriel_column *arguments, size_t row,
                                    struct oriel_column *out) {
    const struct oriel_text text = oriel_text_at(&arguments[0], row);
    enum charset charset = CHARSET_UTF8;
    ORIEL_TRY(find_charset(call, evaluation, oriel_text_at(&arguments[1], row), &charset));
    if (charset == CHARSET_UTF8)
        return oriel_text_set(call, evaluation, out, row, text.bytes, text.length);
    char *room;
    ORIEL_TRY(oriel_text_room(call, evaluation, 2 * text.length + 2, &room));
    char *to = room;
    if (charset == CHARSET_UTF16 && text.length)
        to = put_unit(to, 0xFEFF, false);
    for (size_t i = 0; i < text.length;) {
        const uint32_t point = oriel_utf8_next(text.bytes, text.length, &i);
        const bool little = charset == CHARSET_LE;
        if (charset == CHARSET_ASCII || charset == CHARSET_LATIN) {
            *to++ = (char)(point < (charset == CHARSET_ASCII ? 0x80u : 0x100u) ? point : '?');
        } else if (point < 0x10000) {
            to = put_unit(to, point, little);
        } else {
            to = put_unit(to, 0xD800 + ((point - 0x10000) >> 10), little);
            to = put_unit(to, 0xDC00 + (point & 0x3FF), little);
        }
    }
    oriel_text_point(out, row, room, (size_t)(to - room));
    return ORIEL_OK;
}

static uint32_t unit_at(struct oriel_text text, size_t at, bool little) {
    const unsigned char *bytes = (const unsigned char *)text.bytes + at;
    return little ? bytes[0] | (uint32_t)bytes[1] << 8 : (uint32_t)bytes[0] << 8 | bytes[1];
}

/* Bytes of UTF-16; `little` may be overruled by a mark in front. Returns the bytes written. */
static size_t decode_units(struct oriel_text text, bool marked, bool little, char *room) {
    size_t at = 0;
    char *to = room;
    if (marked && text.length > 1) {
        const uint32_t mark = unit_at(text, 0, false);
        little = mark == 0xFFFE;
        at = mark == 0xFEFF || little ? 2 : 0;
    }
    while (at < text.length) {
        uint32_t point = 0xFFFD;
        if (at + 1 < text.length) {
            const uint32_t unit = unit_at(text, at, little);
            const uint32_t low = at + 3 < text.length ? unit_at(text, at + 2, little) : 0;
            if (unit < 0xD800 || unit > 0xDFFF) {
                point = unit;
            } else if (unit < 0xDC00 && low >= 0xDC00 && low <= 0xDFFF) {
                point = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                at += 2;
            }
        }
        at += 2;
        to += oriel_utf8_encode(point, to);
    }
    return (size_t)(to - room);
}

static enum oriel_status decode_row(const struct oriel_call *call,
                                    struct oriel_evaluation *evaluation,
                                    const struct oriel_column *arguments, size_t row,
                                    struct oriel_column *out) {
    const struct oriel_text text = oriel_text_at(&arguments[0], row);
    enum charset charset = CHARSET_UTF8;
    ORIEL_TRY(find_charset(call, evaluation, oriel_text_at(&arguments[1], row), &charset));
    if (charset == CHARSET_UTF8) {
        struct oriel_text decoded;
        ORIEL_TRY(oriel_text_decode(call, evaluation, text, &decoded));
        return oriel_text_set(call, evaluation, out, row, decoded.bytes, decoded.length);
    }
    char *room;
    ORIEL_TRY(oriel_text_room(call, evaluation, 3 * text.length + 4, &room));
    if (charset > CHARSET_UTF8) {
        oriel_text_point(out, row, room,
                         decode_units(text, charset == CHARSET_UTF16, charset == CHARSET_LE, room));
        return ORIEL_OK;
    }
    char *to = room;
    for (size_t i = 0; i < text.length; i++) {
        const unsigned char byte = (unsigned char)text.bytes[i];
        to += oriel_utf8_encode(byte < 0x80 || charset == CHARSET_LATIN ? byte : 0xFFFD, to);
    }
    oriel_text_point(out, row, room, (size_t)(to - room));
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(encode)

ORIEL_TEXT_EACH(decode)

static enum oriel_status bind_encode(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, "s", "'ENCODE(<STRING>, <CHARSET>)'", error));
    struct oriel_type type = oriel_type_make(ORIEL_TYPE_VARBINARY);
    type.length = ORIEL_LENGTH_MAX;
    return oriel_bind_result(binding, type, encode);
}

static enum oriel_status bind_decode(struct oriel_binding *binding, struct oriel_error *error) {
    static const char forms[] = "'DECODE(<BINARY>, <CHARSET>)'";
    if (binding->argument_types[0].id != ORIEL_TYPE_NULL &&
        !oriel_type_is_binary(&binding->argument_types[0]))
        return oriel_bind_refuse(binding, forms, error);
    ORIEL_TRY(oriel_bind_arguments(binding, "Ss", forms, error));
    return oriel_bind_result(binding, oriel_type_string(), decode);
}

static const struct oriel_function rows[] = {
    {"DECODE", 2, 2, ORIEL_FUNCTION_STRICT, bind_decode, NULL},
    {"ENCODE", 2, 2, ORIEL_FUNCTION_STRICT, bind_encode, NULL},
};

const struct oriel_function_group oriel_functions_string_charset = {rows,
                                                                    sizeof rows / sizeof rows[0]};
