/*
 * Widths by ICU's East Asian width property. ASCII, which nearly all text is, never reaches ICU.
 */
#include "engine/io/display_width.h"

#include <stdbool.h>
#include <stdint.h>

#include <unicode/uchar.h>

static bool is_wide(UChar32 code_point) {
    if (code_point < 0x1100)
        return false;
    const int width = u_getIntPropertyValue(code_point, UCHAR_EAST_ASIAN_WIDTH);
    return width == U_EA_FULLWIDTH || width == U_EA_WIDE;
}

static size_t tableau_width_of(UChar32 code_point) {
    return 1 + (code_point > 0xffff ? 1u : 0u) + (is_wide(code_point) ? 1u : 0u);
}

/* Length of the leading bytes below 0x80, at most `limit`. */
static size_t ascii_length(const char *bytes, size_t limit) {
    size_t i = 0;
    while (i < limit && (unsigned char)bytes[i] < 0x80)
        i++;
    return i;
}

/* The code point at *offset, which moves past it; U+FFFD for a byte that begins no whole one. */
static UChar32 next_code_point(const char *bytes, size_t length, size_t *offset) {
    static const unsigned char lead_bits[5] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    const unsigned char lead = (unsigned char)bytes[*offset];
    const size_t count = lead < 0x80 ? 1 : lead < 0xc0 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (count == 0 || count > length - *offset) {
        ++*offset;
        return 0xfffd;
    }
    UChar32 code_point = lead & lead_bits[count];
    for (size_t i = 1; i < count; i++)
        code_point = code_point << 6 | ((unsigned char)bytes[*offset + i] & 0x3f);
    *offset += count;
    return code_point;
}

size_t oriel_tableau_width(const char *bytes, size_t length) {
    size_t offset = ascii_length(bytes, length);
    size_t width = offset;
    while (offset < length)
        width += tableau_width_of(next_code_point(bytes, length, &offset));
    return width;
}

size_t oriel_tableau_prefix(const char *bytes, size_t length, size_t width, size_t *used) {
    size_t offset = ascii_length(bytes, length < width ? length : width);
    *used = offset;
    while (offset < length) {
        size_t next = offset;
        const size_t more = tableau_width_of(next_code_point(bytes, length, &next));
        if (*used + more > width)
            break;
        *used += more;
        offset = next;
    }
    return offset;
}

static size_t terminal_width_of(UChar32 code_point) {
    if (code_point < 0x300)
        return 1;
    const int8_t type = u_charType(code_point);
    if (type == U_NON_SPACING_MARK || type == U_ENCLOSING_MARK || type == U_FORMAT_CHAR)
        return 0;
    return is_wide(code_point) ? 2 : 1;
}

size_t oriel_terminal_width(const char *bytes, size_t length) {
    size_t offset = ascii_length(bytes, length);
    size_t width = offset;
    while (offset < length)
        width += terminal_width_of(next_code_point(bytes, length, &offset));
    return width;
}
