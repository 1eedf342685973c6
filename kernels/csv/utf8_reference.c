/* Reference of the UTF-8 check: table 3-7 of the Unicode standard, one sequence at a time. */
#include "kernels/isa_kernels.h"

static int is_between(unsigned char byte, unsigned low, unsigned high) {
    return byte >= low && byte <= high;
}

/* Length of the well-formed sequence that begins at text, 0 if none does. */
static size_t sequence_length(const unsigned char *text, size_t left) {
    const unsigned char lead = text[0];
    if (lead < 0x80)
        return 1;
    if (left < 2)
        return 0;
    if (is_between(lead, 0xC2, 0xDF))
        return is_between(text[1], 0x80, 0xBF) ? 2 : 0;
    if (left < 3 || !is_between(text[2], 0x80, 0xBF))
        return 0;
    if (lead == 0xE0)
        return is_between(text[1], 0xA0, 0xBF) ? 3 : 0;
    if (lead == 0xED)
        return is_between(text[1], 0x80, 0x9F) ? 3 : 0;
    if (is_between(lead, 0xE1, 0xEF))
        return is_between(text[1], 0x80, 0xBF) ? 3 : 0;
    if (left < 4 || !is_between(text[3], 0x80, 0xBF))
        return 0;
    if (lead == 0xF0)
        return is_between(text[1], 0x90, 0xBF) ? 4 : 0;
    if (lead == 0xF4)
        return is_between(text[1], 0x80, 0x8F) ? 4 : 0;
    return is_between(lead, 0xF1, 0xF3) && is_between(text[1], 0x80, 0xBF) ? 4 : 0;
}

size_t oriel_utf8_validate_reference(const char *restrict text, size_t length) {
    const unsigned char *const bytes = (const unsigned char *)text;
    for (size_t at = 0; at < length;) {
        const size_t step = sequence_length(bytes + at, length - at);
        if (step == 0)
            return at;
        at += step;
    }
    return length;
}
