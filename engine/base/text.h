/*
 * Strings. `struct oriel_text` is a borrowed view; `struct oriel_string` is the 16-byte value that
 * columns hold: up to 12 bytes lie inside it (zero padded, so equal short strings are equal bytes),
 * longer ones keep their first 4 bytes and a pointer to all of them.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct oriel_text {
    const char *bytes;
    size_t length;
};

enum { ORIEL_STRING_INLINE_BYTES = 12, ORIEL_STRING_PREFIX_BYTES = 4 };

struct oriel_string {
    uint32_t length;
    char prefix[ORIEL_STRING_PREFIX_BYTES];
    union {
        char rest[ORIEL_STRING_INLINE_BYTES - ORIEL_STRING_PREFIX_BYTES];
        const char *bytes;
    };
};

_Static_assert(sizeof(struct oriel_string) == 16, "the layout that kernels know");

#define ORIEL_TEXT(literal) ((struct oriel_text){(literal), sizeof(literal) - 1})

static inline struct oriel_text oriel_text_of(const char *zero_terminated) {
    return (struct oriel_text){zero_terminated, strlen(zero_terminated)};
}

/* A value over `bytes`, which must outlive it when longer than 12. Lengths end at UINT32_MAX. */
static inline struct oriel_string oriel_string_make(const char *bytes, size_t length) {
    struct oriel_string out;
    memset(&out, 0, sizeof out);
    out.length = (uint32_t)length;
    if (length <= ORIEL_STRING_INLINE_BYTES) {
        if (length)
            memcpy(out.prefix, bytes, length);
    } else {
        memcpy(out.prefix, bytes, ORIEL_STRING_PREFIX_BYTES);
        out.bytes = bytes;
    }
    return out;
}

/* The bytes of a value; they lie inside `*value` when it is short, so keep it in place. */
static inline const char *oriel_string_bytes(const struct oriel_string *value) {
    return value->length <= ORIEL_STRING_INLINE_BYTES ? value->prefix : value->bytes;
}

static inline struct oriel_text oriel_string_text(const struct oriel_string *value) {
    return (struct oriel_text){oriel_string_bytes(value), value->length};
}

static inline int oriel_string_equal(const struct oriel_string *a, const struct oriel_string *b) {
    uint64_t head_a, head_b;
    memcpy(&head_a, a, 8);
    memcpy(&head_b, b, 8);
    if (head_a != head_b)
        return 0;
    if (a->length <= ORIEL_STRING_INLINE_BYTES)
        return memcmp(a->rest, b->rest, sizeof a->rest) == 0;
    return memcmp(a->bytes, b->bytes, a->length) == 0;
}

/* Order by unsigned bytes, a prefix before what it begins; <0, 0, >0. */
static inline int oriel_string_compare(const struct oriel_string *a,
                                       const struct oriel_string *b) {
    const size_t shorter = a->length < b->length ? a->length : b->length;
    const int order = shorter ? memcmp(oriel_string_bytes(a), oriel_string_bytes(b), shorter) : 0;
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

static inline int oriel_text_equal(struct oriel_text a, struct oriel_text b) {
    return a.length == b.length && (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}

/* Equality that ignores the case of ASCII letters; for keywords and function names. */
int oriel_text_equal_ignoring_case(struct oriel_text a, struct oriel_text b);
