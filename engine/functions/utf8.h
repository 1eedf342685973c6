/*
 * Inside engine/functions: counting and finding characters (code points) in valid UTF-8.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a byte begins a character. */
static inline bool oriel_utf8_begins(char byte) {
    return ((unsigned char)byte & 0xc0) != 0x80;
}

static inline size_t oriel_utf8_count(const char *bytes, size_t length) {
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += oriel_utf8_begins(bytes[i]);
    return count;
}

/* Bytes of the character that begins with `byte`. */
static inline size_t oriel_utf8_width(char byte) {
    const unsigned char lead = (unsigned char)byte;
    return lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/* The offset of character `index`, counted from 0; `length` when there are not so many. */
static inline size_t oriel_utf8_offset(const char *bytes, size_t length, size_t index) {
    size_t at = 0;
    for (; index > 0 && at < length; index--)
        at += oriel_utf8_width(bytes[at]);
    return at < length ? at : length;
}

static inline bool oriel_utf8_is_ascii(const char *bytes, size_t length) {
    unsigned char any = 0;
    for (size_t i = 0; i < length; i++)
        any |= (unsigned char)bytes[i];
    return any < 0x80;
}

/* Decodes the character at bytes[*at], moves *at behind it. `bytes` is valid UTF-8. */
static inline uint32_t oriel_utf8_next(const char *bytes, size_t length, size_t *at) {
    const unsigned char lead = (unsigned char)bytes[*at];
    size_t width = oriel_utf8_width(bytes[*at]);
    if (width > length - *at)
        width = length - *at;
    uint32_t point = width == 1 ? lead : lead & (0x7fu >> width);
    for (size_t i = 1; i < width; i++)
        point = point << 6 | ((unsigned char)bytes[*at + i] & 0x3f);
    *at += width;
    return point;
}

/* Encodes a code point; returns its length, 1 to 4. */
static inline size_t oriel_utf8_encode(uint32_t point, char out[4]) {
    if (point < 0x80) {
        out[0] = (char)point;
        return 1;
    }
    const size_t width = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    for (size_t i = width - 1; i > 0; i--, point >>= 6)
        out[i] = (char)(0x80 | (point & 0x3f));
    out[0] = (char)((0xf00u >> width & 0xff) | point);
    return width;
}

/* Java counts UTF-16 units: a character of four bytes is two of them. */
static inline size_t oriel_utf16_count(const char *bytes, size_t length) {
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += (size_t)oriel_utf8_begins(bytes[i]) + ((unsigned char)bytes[i] >= 0xf0);
    return count;
}

/* The offset behind the first `units` UTF-16 units. *half says whether they end inside a character;
 * the offset is in front of it then. */
static inline size_t oriel_utf16_offset(const char *bytes, size_t length, size_t units,
                                        bool *half) {
    size_t at = 0;
    *half = false;
    while (units > 0 && at < length) {
        const size_t width = oriel_utf8_width(bytes[at]);
        if (width == 4 && units == 1) {
            *half = true;
            return at;
        }
        units -= width == 4 ? 2 : 1;
        at += width;
    }
    return at < length ? at : length;
}
