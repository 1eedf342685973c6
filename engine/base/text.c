/*
 * The part of string handling that is too long for the header.
 */
#include "engine/base/text.h"

static unsigned char lower(char c) {
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

int oriel_text_equal_ignoring_case(struct oriel_text a, struct oriel_text b) {
    if (a.length != b.length)
        return 0;
    for (size_t i = 0; i < a.length; i++) {
        if (lower(a.bytes[i]) != lower(b.bytes[i]))
            return 0;
    }
    return 1;
}
