/* UTF-8 check. Blocks of ASCII, the common case, cost one load and one test. In others each byte is
 * looked at with the three before it, by the lookups of Keiser and Lemire ("Validating UTF-8 in
 * less than one instruction per byte", 2021). They say only that a block has an error; where it is,
 * and the ends of the text, are found sequence by sequence. */
#include "kernels/vec/vec.h"

/* Length of the well-formed sequence that begins at text, 0 if none does. Reads 4 bytes whatever is
 * left; those past the end are padding, and `left` rejects sequences that would use them. */
static inline size_t sequence_length(const unsigned char *text, size_t left) {
    const uint32_t lead = text[0];
    const uint32_t tail1 = text[1] ^ 0x80U;
    const uint32_t tail2 = text[2] ^ 0x80U;
    const uint32_t tail3 = text[3] ^ 0x80U;
    if (lead < 0x80)
        return 1;
    if (lead < 0xE0)
        return lead >= 0xC2 && tail1 < 0x40 && left >= 2 ? 2 : 0;
    if (lead < 0xF0) {
        const uint32_t point = (lead & 0x0F) << 12 | tail1 << 6 | tail2;
        return (tail1 | tail2) < 0x40 && point >= 0x800 && (point & 0xF800) != 0xD800 && left >= 3
                   ? 3
                   : 0;
    }
    const uint32_t point = (lead & 0x0F) << 18 | tail1 << 12 | tail2 << 6 | tail3;
    return (tail1 | tail2 | tail3) < 0x40 && point >= 0x10000 && point <= 0x10FFFF && left >= 4 ? 4
                                                                                                : 0;
}

/* The length of the well-formed prefix from `at`, a sequence's start, up to the first sequence that
 * begins at `end` or later. */
static size_t validate_sequences(const unsigned char *bytes, size_t at, size_t end, size_t length) {
    while (at < end) {
        const size_t step = sequence_length(bytes + at, length - at);
        if (step == 0)
            return at;
        at += step;
    }
    return at;
}

/* Where the sequence that may reach over `at` begins; `at` if none does. */
static size_t sequence_start(const unsigned char *bytes, size_t at) {
    for (size_t back = 1; back <= 3 && back <= at; back++) {
        if (bytes[at - back] >= 0xC0)
            return at - back;
        if (bytes[at - back] < 0x80)
            break;
    }
    return at;
}

/* What can be wrong with two bytes in a row, one bit each. A pair has the error if its bit is set
 * for the high and for the low half of the first byte and for the high half of the second. */
enum {
    TOO_SHORT = 1,           /* a lead without a continuation */
    TOO_LONG = 2,            /* a continuation after ASCII */
    OVERLONG_3 = 4,          /* E0 80..9F */
    TOO_LARGE = 8,           /* F4 90.. and above */
    SURROGATE = 16,          /* ED A0.. */
    OVERLONG_2 = 32,         /* C0, C1 */
    TOO_LARGE_1000 = 64,     /* F5.. 80..8F */
    OVERLONG_4 = 64,         /* F0 80..8F */
    TWO_CONTINUATIONS = 128, /* right only as third or fourth byte */
    ANY_LOW = TOO_SHORT | TOO_LONG | TWO_CONTINUATIONS,
    LARGE_LOW = ANY_LOW | TOO_LARGE | TOO_LARGE_1000,
    ANY_CONTINUATION = TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS,
};

static const unsigned char first_high[16] = {
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TWO_CONTINUATIONS,
    TWO_CONTINUATIONS,
    TWO_CONTINUATIONS,
    TWO_CONTINUATIONS,
    TOO_SHORT | OVERLONG_2,
    TOO_SHORT,
    TOO_SHORT | OVERLONG_3 | SURROGATE,
    TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4,
};

static const unsigned char first_low[16] = {
    ANY_LOW | OVERLONG_3 | OVERLONG_2 | OVERLONG_4,
    ANY_LOW | OVERLONG_2,
    ANY_LOW,
    ANY_LOW,
    ANY_LOW | TOO_LARGE,
    LARGE_LOW,
    LARGE_LOW,
    LARGE_LOW,
    LARGE_LOW,
    LARGE_LOW,
    LARGE_LOW,
    LARGE_LOW,
    LARGE_LOW,
    LARGE_LOW | SURROGATE,
    LARGE_LOW,
    LARGE_LOW,
};

static const unsigned char second_high[16] = {
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    ANY_CONTINUATION | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4,
    ANY_CONTINUATION | OVERLONG_3 | TOO_LARGE,
    ANY_CONTINUATION | SURROGATE | TOO_LARGE,
    ANY_CONTINUATION | SURROGATE | TOO_LARGE,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
};

struct tables {
    vec_u8 first_high;
    vec_u8 first_low;
    vec_u8 second_high;
};

/* a - b, not below 0. */
static inline vec_u8 saturating_sub(vec_u8 a, vec_u8 b) {
    return vec_u8_sub(a, vec_u8_min(a, b));
}

/* Whether the block at `text` has an error, three bytes before it being there to be read. A third
 * or fourth byte, known by the lead two or three before it, must be the second of two
 * continuations. */
static inline int block_has_error(const char *text, const struct tables *tables) {
    const vec_u8 top = vec_u8_set1((char)0x80);
    const vec_u8 zeros = vec_u8_set1(0);
    vec_u8 errors = zeros;
    for (int k = 0; k < VEC_BLOCK_VECTORS; k++) {
        const char *const at = text + k * VEC_U8_LANES;
        const vec_u8 second = vec_u8_load(at);
        const vec_u8 first = vec_u8_load(at - 1);
        const vec_u8 low = vec_u8_and(first, vec_u8_set1(0x0F));
        const vec_u8 wrong =
            vec_u8_and(vec_u8_and(vec_u8_shuffle(tables->first_high, vec_u8_high_nibble(first)),
                                  vec_u8_shuffle(tables->first_low, low)),
                       vec_u8_shuffle(tables->second_high, vec_u8_high_nibble(second)));
        const vec_u8 is_third = saturating_sub(vec_u8_load(at - 2), vec_u8_set1(0xE0 - 0x80));
        const vec_u8 is_fourth = saturating_sub(vec_u8_load(at - 3), vec_u8_set1(0xF0 - 0x80));
        const vec_u8 must_continue = vec_u8_and(vec_u8_or(is_third, is_fourth), top);
        errors = vec_u8_or(errors, vec_u8_xor(wrong, must_continue));
    }
    return (~vec_u8_eq_bits(errors, zeros)) << (64 - VEC_U8_LANES) != 0;
}

size_t ORIEL_FN(utf8_validate)(const char *restrict text, size_t length) {
    const unsigned char *const bytes = (const unsigned char *)text;
    if (length <= VEC_BLOCK)
        return validate_sequences(bytes, 0, length, length);
    const struct tables tables = {
        .first_high = vec_u8_repeat_field((const char *)first_high),
        .first_low = vec_u8_repeat_field((const char *)first_low),
        .second_high = vec_u8_repeat_field((const char *)second_high),
    };
    size_t at = VEC_BLOCK;
    int was_ascii = vec_block_top(vec_block_load(text)) == 0;
    if (!was_ascii) {
        const size_t valid = validate_sequences(bytes, 0, VEC_BLOCK, length);
        if (valid < VEC_BLOCK)
            return valid;
    }
    for (; at + VEC_BLOCK <= length; at += VEC_BLOCK) {
        const int is_ascii = vec_block_top(vec_block_load(text + at)) == 0;
        /* After other text, ASCII must be looked at too: the sequence before it may be cut short.
         */
        if (!(is_ascii && was_ascii) && block_has_error(text + at, &tables))
            break;
        was_ascii = is_ascii;
    }
    return validate_sequences(bytes, sequence_start(bytes, at), length, length);
}
