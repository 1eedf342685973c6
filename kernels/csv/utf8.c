/* UTF-8 check. Blocks of ASCII, the common case, cost one load and one test; in others the
 * sequences are decoded by their code point: its range tells overlong forms, surrogates and the end
 * of Unicode. */
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

size_t ORIEL_FN(utf8_validate)(const char *restrict text, size_t length) {
    const unsigned char *const bytes = (const unsigned char *)text;
    size_t at = 0;
    while (at < length) {
        const uint64_t top = vec_block_top(vec_block_load(text + at));
        if (top == 0) {
            at += VEC_BLOCK;
            continue;
        }
        const size_t end = at + VEC_BLOCK;
        at += bits_lowest(top);
        while (at < length && at < end) {
            const size_t step = sequence_length(bytes + at, length - at);
            if (step == 0)
                return at;
            at += step;
        }
    }
    return length;
}
