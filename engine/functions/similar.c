/*
 * SIMILAR TO's patterns: `_` and `%` are wildcards, the rest is a regular expression but for `$`
 * and the backslash, which are plain.
 */
#include "engine/functions/similar.h"

enum { GROWTH_MAX = 12 }; /* bytes that one byte of a pattern can become */

struct writer {
    char *bytes;
    size_t length;
};

static void put(struct writer *writer, const char *text) {
    const size_t length = strlen(text);
    memcpy(writer->bytes + writer->length, text, length);
    writer->length += length;
}

static void put_byte(struct writer *writer, char c) {
    writer->bytes[writer->length++] = c;
}

/* [:NAME:] inside a set; returns the bytes read, 0 for no class. */
static size_t put_class(struct writer *writer, struct oriel_text rest) {
    static const struct {
        const char *name, *class;
    } classes[] = {
        {"[:ALPHA:]", "\\p{Alpha}"}, {"[:UPPER:]", "\\p{Upper}"}, {"[:LOWER:]", "\\p{Lower}"},
        {"[:DIGIT:]", "\\d"},        {"[:ALNUM:]", "\\p{Alnum}"}, {"[:SPACE:]", " "},
        {"[:WHITESPACE:]", "\\s"},
    };
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        const size_t length = strlen(classes[i].name);
        if (rest.length >= length &&
            oriel_text_equal_ignoring_case((struct oriel_text){rest.bytes, length},
                                           oriel_text_of(classes[i].name))) {
            put(writer, classes[i].class);
            return length;
        }
    }
    return 0;
}

static bool starts_with(struct oriel_text text, size_t at, struct oriel_text start) {
    return text.length - at >= start.length &&
           memcmp(text.bytes + at, start.bytes, start.length) == 0;
}

static enum oriel_status put_escaped(struct writer *writer, struct oriel_text pattern,
                                     struct oriel_text escape, size_t *at,
                                     struct oriel_position position, struct oriel_error *error) {
    const size_t next = *at + escape.length;
    const bool itself = next < pattern.length && starts_with(pattern, next, escape);
    if (next >= pattern.length || (!itself && !strchr("[]()|^-+*_%?{}", pattern.bytes[next])))
        return oriel_error_at(error, ORIEL_INVALID, position, "Invalid escape sequence '%.*s', %zu",
                              (int)pattern.length, pattern.bytes, *at);
    const size_t width = itself ? escape.length : 1;
    if (width == 1 && strchr("[]()|^-+*?{}$\\.", pattern.bytes[next]))
        put_byte(writer, '\\');
    for (size_t i = 0; i < width; i++)
        put_byte(writer, pattern.bytes[next + i]);
    *at = next + width;
    return ORIEL_OK;
}

enum oriel_status oriel_similar_to_regex(struct oriel_arena *arena, struct oriel_text pattern,
                                         const struct oriel_text *escape,
                                         struct oriel_position position, struct oriel_text *out,
                                         struct oriel_error *error) {
    struct writer writer = {oriel_arena_allocate(arena, GROWTH_MAX * pattern.length + 1), 0};
    if (!writer.bytes)
        return oriel_error_memory(error);
    bool in_set = false;
    for (size_t at = 0; at < pattern.length;) {
        const char c = pattern.bytes[at];
        if (escape && escape->length && starts_with(pattern, at, *escape)) {
            ORIEL_TRY(put_escaped(&writer, pattern, *escape, &at, position, error));
            continue;
        }
        size_t width = 1;
        if (in_set && c == '[') {
            width =
                put_class(&writer, (struct oriel_text){pattern.bytes + at, pattern.length - at});
            if (!width)
                put(&writer, "\\["), width = 1;
        } else if (c == '[' || c == ']') {
            in_set = c == '[';
            put_byte(&writer, c);
        } else if (c == '_' && !in_set) {
            put_byte(&writer, '.');
        } else if (c == '%' && !in_set) {
            put(&writer, "(?s:.*)");
        } else if (c == '\\' || c == '$') {
            put_byte(&writer, '\\');
            put_byte(&writer, c);
        } else {
            put_byte(&writer, c);
        }
        at += width;
    }
    *out = (struct oriel_text){writer.bytes, writer.length};
    return ORIEL_OK;
}
