/*
 * Tokens of JSON as RFC 8259 has them; like Flink, control characters may stand in strings. A lone
 * half of a surrogate pair becomes '?'.
 */
#include <string.h>

#include "engine/io/json_reader.h"

static bool fail(struct json_cursor *cursor, const char *expected) {
    if (!json_is_broken(cursor))
        cursor->expected = expected;
    return false;
}

static void skip_blanks(struct json_cursor *cursor) {
    while (cursor->at < cursor->end && (*cursor->at == ' ' || *cursor->at == '\t' ||
                                        *cursor->at == '\r' || *cursor->at == '\n'))
        cursor->at++;
}

static bool is_digit(const struct json_cursor *cursor) {
    return cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9';
}

static bool skip_digits(struct json_cursor *cursor) {
    if (!is_digit(cursor))
        return fail(cursor, "a digit");
    while (is_digit(cursor))
        cursor->at++;
    return true;
}

static bool read_number(struct json_cursor *cursor, struct oriel_text *out) {
    const char *begin = cursor->at;
    cursor->at += *cursor->at == '-';
    if (cursor->at < cursor->end && *cursor->at == '0') {
        cursor->at++;
        if (is_digit(cursor))
            return fail(cursor, "a number without leading zeroes");
    } else if (!skip_digits(cursor)) {
        return false;
    }
    if (cursor->at < cursor->end && *cursor->at == '.') {
        cursor->at++;
        if (!skip_digits(cursor))
            return false;
    }
    if (cursor->at < cursor->end && (*cursor->at == 'e' || *cursor->at == 'E')) {
        cursor->at++;
        if (cursor->at < cursor->end && (*cursor->at == '+' || *cursor->at == '-'))
            cursor->at++;
        if (!skip_digits(cursor))
            return false;
    }
    *out = (struct oriel_text){begin, (size_t)(cursor->at - begin)};
    return true;
}

static int hex_value(char letter) {
    return letter >= '0' && letter <= '9'   ? letter - '0'
           : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10
           : letter >= 'A' && letter <= 'F' ? letter - 'A' + 10
                                            : -1;
}

/* Four hexadecimal digits; -1 when they are none. */
static int32_t read_unit(const char *at, const char *end) {
    int32_t unit = 0;
    if (end - at < 4)
        return -1;
    for (size_t i = 0; i < 4; i++) {
        const int value = hex_value(at[i]);
        if (value < 0)
            return -1;
        unit = unit * 16 + value;
    }
    return unit;
}

static char *put_character(char *out, uint32_t code) {
    if (code < 0x80) {
        *out++ = (char)code;
    } else if (code < 0x800) {
        *out++ = (char)(0xC0 | code >> 6);
        *out++ = (char)(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        *out++ = (char)(0xE0 | code >> 12);
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
        *out++ = (char)(0x80 | (code & 0x3F));
    } else {
        *out++ = (char)(0xF0 | code >> 18);
        *out++ = (char)(0x80 | (code >> 12 & 0x3F));
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
        *out++ = (char)(0x80 | (code & 0x3F));
    }
    return out;
}

/* What \uXXXX at the cursor stands for, with the second half of a pair. */
static bool read_escaped_unit(struct json_cursor *cursor, char **out) {
    int32_t code = read_unit(cursor->at, cursor->end);
    if (code < 0)
        return fail(cursor, "four hexadecimal digits");
    cursor->at += 4;
    if (code >= 0xD800 && code < 0xDC00 && cursor->end - cursor->at >= 6 && cursor->at[0] == '\\' &&
        cursor->at[1] == 'u') {
        const int32_t low = read_unit(cursor->at + 2, cursor->end);
        if (low >= 0xDC00 && low < 0xE000) {
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            cursor->at += 6;
        }
    }
    *out = put_character(*out, code >= 0xD800 && code < 0xE000 ? '?' : (uint32_t)code);
    return true;
}

/* The rest of a string that has an escape, copied; `begin` is behind its quote. */
static bool read_escaped(struct json_cursor *cursor, const char *begin, struct oriel_text *out) {
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    const char *closing = cursor->at;
    while (closing < cursor->end && *closing != '"')
        closing += *closing == '\\' && closing + 1 < cursor->end ? 2 : 1;
    char *copy = oriel_arena_allocate(cursor->arena, (size_t)(closing - begin) + 4);
    if (!copy) {
        cursor->out_of_memory = true;
        return false;
    }
    char *to = copy;
    cursor->at = begin;
    while (cursor->at < cursor->end && *cursor->at != '"') {
        if (*cursor->at != '\\') {
            *to++ = *cursor->at++;
            continue;
        }
        cursor->at++;
        const char *letter =
            cursor->at < cursor->end && *cursor->at ? strchr(letters, *cursor->at) : NULL;
        if (letter) {
            *to++ = meanings[letter - letters];
            cursor->at++;
        } else if (cursor->at < cursor->end && *cursor->at == 'u') {
            cursor->at++;
            if (!read_escaped_unit(cursor, &to))
                return false;
        } else {
            return fail(cursor, "an escape: \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\uXXXX");
        }
    }
    *out = (struct oriel_text){copy, (size_t)(to - copy)};
    return true;
}

/* A string whose quote is at the cursor. */
static bool read_string(struct json_cursor *cursor, struct oriel_text *out) {
    const char *begin = ++cursor->at;
    while (cursor->at < cursor->end && *cursor->at != '"' && *cursor->at != '\\')
        cursor->at++;
    *out = (struct oriel_text){begin, (size_t)(cursor->at - begin)};
    if (cursor->at < cursor->end && *cursor->at == '\\' && !read_escaped(cursor, begin, out))
        return false;
    if (cursor->at == cursor->end)
        return fail(cursor, "the closing quote of a string");
    cursor->at++;
    return true;
}

static bool accept_word(struct json_cursor *cursor, const char *word) {
    const size_t length = strlen(word);
    if ((size_t)(cursor->end - cursor->at) < length || memcmp(cursor->at, word, length) != 0)
        return false;
    const char after = cursor->at + length < cursor->end ? cursor->at[length] : ' ';
    if (after == '_' || (after >= '0' && after <= '9') || (after >= 'a' && after <= 'z') ||
        (after >= 'A' && after <= 'Z'))
        return false;
    cursor->at += length;
    return true;
}

struct json_token json_read_token(struct json_cursor *cursor) {
    struct json_token token = {JSON_BROKEN, {NULL, 0}};
    skip_blanks(cursor);
    const char *begin = cursor->at;
    const char first = cursor->at < cursor->end ? *cursor->at : '\0';
    if (first == '"') {
        token.kind = read_string(cursor, &token.text) ? JSON_STRING : JSON_BROKEN;
    } else if (first == '-' || is_digit(cursor)) {
        token.kind = read_number(cursor, &token.text) ? JSON_NUMBER : JSON_BROKEN;
    } else if (first == '{' || first == '[') {
        cursor->at++;
        token.kind = first == '{' ? JSON_OBJECT : JSON_ARRAY;
    } else {
        token.kind = accept_word(cursor, "null")    ? JSON_NULL
                     : accept_word(cursor, "true")  ? JSON_TRUE
                     : accept_word(cursor, "false") ? JSON_FALSE
                                                    : JSON_BROKEN;
        token.text = (struct oriel_text){begin, (size_t)(cursor->at - begin)};
        if (token.kind == JSON_BROKEN)
            fail(cursor, "a value: a string, number, object, array, true, false or null");
    }
    return token;
}

bool json_next_name(struct json_cursor *cursor, bool is_first, struct oriel_text *name) {
    skip_blanks(cursor);
    if (cursor->at < cursor->end && *cursor->at == '}') {
        cursor->at++;
        return false;
    }
    if (!is_first) {
        if (cursor->at == cursor->end || *cursor->at != ',')
            return fail(cursor, "',' or '}'");
        cursor->at++;
        skip_blanks(cursor);
    }
    if (cursor->at == cursor->end || *cursor->at != '"')
        return fail(cursor, "a name in double quotes");
    if (!read_string(cursor, name))
        return false;
    skip_blanks(cursor);
    if (cursor->at == cursor->end || *cursor->at != ':')
        return fail(cursor, "':'");
    cursor->at++;
    return true;
}

bool json_next_element(struct json_cursor *cursor, bool is_first) {
    skip_blanks(cursor);
    if (cursor->at < cursor->end && *cursor->at == ']' && is_first) {
        cursor->at++;
        return false;
    }
    if (is_first)
        return true;
    if (cursor->at == cursor->end || (*cursor->at != ',' && *cursor->at != ']'))
        return fail(cursor, "',' or ']'");
    return *cursor->at++ == ',';
}

bool json_skip(struct json_cursor *cursor, enum json_kind kind, unsigned depth) {
    struct oriel_text name;
    if (kind != JSON_OBJECT && kind != JSON_ARRAY)
        return kind != JSON_BROKEN;
    if (depth >= ORIEL_JSON_NESTING_MAX)
        return fail(cursor, "no more than 1000 levels of nesting");
    for (bool is_first = true; kind == JSON_OBJECT ? json_next_name(cursor, is_first, &name)
                                                   : json_next_element(cursor, is_first);
         is_first = false) {
        if (!json_skip(cursor, json_read_token(cursor).kind, depth + 1))
            return false;
    }
    return !json_is_broken(cursor);
}

bool json_compact(struct json_cursor *cursor, enum json_kind kind, struct oriel_text *out) {
    const char *begin = cursor->at - 1;
    if (!json_skip(cursor, kind, 1))
        return false;
    char *copy = oriel_arena_allocate(cursor->arena, (size_t)(cursor->at - begin));
    if (!copy) {
        cursor->out_of_memory = true;
        return false;
    }
    size_t length = 0;
    bool in_string = false;
    for (const char *at = begin; at < cursor->at; at++) {
        if (!in_string && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
            continue;
        copy[length++] = *at;
        if (in_string && *at == '\\')
            copy[length++] = *++at;
        else if (*at == '"')
            in_string = !in_string;
    }
    *out = (struct oriel_text){copy, length};
    return true;
}
