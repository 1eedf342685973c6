/*
 * BINARY and BYTES fields: base64 in groups of four with padding, blanks allowed only between
 * groups, bits beyond the last byte ignored (Jackson's MIME-NO-LINEFEEDS).
 */
#include <string.h>

#include "engine/io/csv_reader.h"

static int value_of(char letter) {
    if (letter >= 'A' && letter <= 'Z')
        return letter - 'A';
    if (letter >= 'a' && letter <= 'z')
        return letter - 'a' + 26;
    if (letter >= '0' && letter <= '9')
        return letter - '0' + 52;
    return letter == '+' ? 62 : letter == '/' ? 63 : -1;
}

bool csv_base64_decode(struct oriel_text text, char *out, size_t *length) {
    size_t at = 0;
    size_t count = 0;
    for (;;) {
        while (at < text.length && (unsigned char)text.bytes[at] <= ' ')
            at++;
        if (at == text.length)
            break;
        if (text.length - at < 4)
            return false;
        const char *group = text.bytes + at;
        const size_t padding = group[3] != '=' ? 0 : group[2] != '=' ? 1 : 2;
        unsigned bits = 0;
        for (size_t i = 0; i < 4 - padding; i++) {
            const int value = value_of(group[i]);
            if (value < 0)
                return false;
            bits = bits << 6 | (unsigned)value;
        }
        bits <<= 6 * padding;
        const char bytes[3] = {(char)(bits >> 16), (char)(bits >> 8), (char)bits};
        memcpy(out + count, bytes, 3 - padding);
        count += 3 - padding;
        at += 4;
    }
    *length = count;
    return true;
}
