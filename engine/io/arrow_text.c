/*
 * Short strings are loaded by their full 12 bytes and cut to their length by a mask, so that no
 * length has to be guessed. Texts with offsets lie in one piece, which is checked at once.
 */
#include "engine/io/arrow_text.h"

#include <string.h>

#include "engine/base/bits.h"
#include "engine/base/text.h"
#include "engine/io/arrow_values.h"
#include "kernels/kernels.h"

enum { INLINE_BYTES = ORIEL_STRING_INLINE_BYTES, CONTINUATION = 0x80, CONTINUATION_MASK = 0xc0 };

static const uint64_t NO_ASCII = UINT64_C(0x8080808080808080);

/* The two words of a string: length and first 4 bytes; the next 8 bytes or the pointer. */
struct words {
    uint64_t head, rest;
};

/* What the bytes of a string leave of the words. */
#define LOW(bytes) ((UINT64_C(1) << 8 * (bytes)) - 1)
static const struct words kept[INLINE_BYTES + 1] = {
    {LOW(4), 0},
    {LOW(5), 0},
    {LOW(6), 0},
    {LOW(7), 0},
    {~UINT64_C(0), 0},
    {~UINT64_C(0), LOW(1)},
    {~UINT64_C(0), LOW(2)},
    {~UINT64_C(0), LOW(3)},
    {~UINT64_C(0), LOW(4)},
    {~UINT64_C(0), LOW(5)},
    {~UINT64_C(0), LOW(6)},
    {~UINT64_C(0), LOW(7)},
    {~UINT64_C(0), ~UINT64_C(0)},
};
#undef LOW

/* A string at `bytes`, 12 of which may be read. */
static inline struct words make_words(const char *bytes, size_t length) {
    uint32_t prefix;
    struct words out;
    memcpy(&prefix, bytes, sizeof prefix);
    memcpy(&out.rest, bytes + sizeof prefix, sizeof out.rest);
    out.head = (uint64_t)prefix << 32 | (uint32_t)length;
    if (length <= INLINE_BYTES) {
        out.head &= kept[length].head;
        out.rest &= kept[length].rest;
    } else {
        out.rest = (uintptr_t)bytes;
    }
    return out;
}

static inline void store(struct words words, struct oriel_string *out) {
    memcpy(out, &words, sizeof *out);
}

/* Whether the bytes begin within a character of UTF-8. */
static inline bool begins_inside(struct words words) {
    return (words.head >> 32 & CONTINUATION_MASK) == CONTINUATION;
}

static inline int64_t offset_at(const void *offsets, bool wide, size_t row) {
    return wide ? ((const int64_t *)offsets)[row] : ((const int32_t *)offsets)[row];
}

static inline bool offsets_are_good(const void *offsets, bool wide, size_t count) {
    bool bad = offset_at(offsets, wide, 0) < 0;
    for (size_t i = 0; i < count; i++)
        bad |= offset_at(offsets, wide, i + 1) < offset_at(offsets, wide, i);
    for (size_t i = 0; wide && !bad && i < count; i++)
        bad = offset_at(offsets, wide, i + 1) - offset_at(offsets, wide, i) > INT32_MAX;
    return !bad;
}

/* The kernel may read past the end of what it is given, but nothing past the array. */
static bool is_utf8(const struct oriel_kernels *kernels, const char *bytes, size_t length) {
    const size_t inner = length > ORIEL_KERNEL_PADDING ? length - ORIEL_KERNEL_PADDING : 0;
    const size_t good = inner ? kernels->utf8_validate(bytes, inner) : 0;
    return oriel_arrow_is_utf8(bytes + good, length - good);
}

static inline __attribute__((always_inline)) bool read_offsets(const struct oriel_kernels *kernels,
                                                               const struct ArrowArray *array,
                                                               const void *offsets, bool wide,
                                                               bool is_text, size_t count,
                                                               struct oriel_string *out) {
    if (!offsets_are_good(offsets, wide, count))
        return false;
    const int64_t begin = offset_at(offsets, wide, 0), end = offset_at(offsets, wide, count);
    const char *bytes = begin < end ? array->buffers[2] : "";
    if (!bytes || (is_text && !is_utf8(kernels, bytes + begin, (size_t)(end - begin))))
        return false;
    bool inside = false;
    for (size_t i = 0; i < count; i++) {
        const int64_t at = offset_at(offsets, wide, i);
        const size_t length = (size_t)(offset_at(offsets, wide, i + 1) - at);
        if (end - at >= INLINE_BYTES) {
            const struct words words = make_words(bytes + at, length);
            inside |= begins_inside(words);
            store(words, &out[i]);
        } else {
            out[i] = oriel_string_make(length ? bytes + at : "", length);
            inside |= ((unsigned char)out[i].prefix[0] & CONTINUATION_MASK) == CONTINUATION;
        }
    }
    return !is_text || !inside;
}

/* Views lie as our strings do, but for the place of long ones, whose first bytes it follows. */
static bool read_views(const struct oriel_arrow_type *type, const struct ArrowArray *array,
                       int64_t base, size_t count, const uint64_t *valid,
                       struct oriel_string *out) {
    const char *views = (const char *)array->buffers[1] + base * (int64_t)sizeof *out;
    for (size_t i = 0; i < count; i++) {
        uint32_t length;
        struct oriel_text text;
        memcpy(&length, views + i * sizeof *out, sizeof length);
        if (!oriel_bits_get(valid, i))
            continue;
        if (length <= INLINE_BYTES) {
            const struct words words = make_words(views + i * sizeof *out + sizeof length, length);
            store(words, &out[i]);
            if (!type->is_text || !(((words.head & ~(uint64_t)UINT32_MAX) | words.rest) & NO_ASCII))
                continue;
            text = oriel_string_text(&out[i]);
        } else {
            if (!oriel_arrow_find_view(array, base + (int64_t)i, &text))
                return false;
            out[i] = oriel_string_make(text.bytes, text.length);
        }
        if (type->is_text && !oriel_arrow_is_utf8(text.bytes, text.length))
            return false;
    }
    return true;
}

bool oriel_arrow_texts_read(const struct oriel_kernels *kernels,
                            const struct oriel_arrow_type *type, const struct ArrowArray *array,
                            int64_t base, size_t count, const uint64_t *valid,
                            struct oriel_string *out) {
    const bool wide = type->layout == ORIEL_ARROW_OFFSETS_64;
    const size_t width = wide ? sizeof(int64_t) : sizeof(int32_t);
    const char *offsets = (const char *)array->buffers[1] + base * (int64_t)width;
    bool good;
    if (!count)
        return true;
    if (type->layout == ORIEL_ARROW_VIEWS)
        good = read_views(type, array, base, count, valid, out);
    else if ((uintptr_t)offsets % width)
        good = false;
    else if (wide)
        good = read_offsets(kernels, array, offsets, true, type->is_text, count, out);
    else
        good = read_offsets(kernels, array, offsets, false, type->is_text, count, out);
    for (size_t i = 0; good && valid && i < count; i++) {
        if (!oriel_bits_get(valid, i))
            out[i] = oriel_string_make("", 0);
    }
    return good;
}
