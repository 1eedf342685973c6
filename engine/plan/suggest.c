/*
 * "Did you mean": the known name that takes the fewest edits to get from the unknown one.
 */
#include <stdio.h>
#include <string.h>

#include "engine/plan/bind.h"

enum { SUGGEST_LENGTH_MAX = 64 };

static unsigned char fold(char c) {
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* Edits (insert, delete, replace, swap of neighbours) without regard to case. */
static unsigned distance(const char *a, size_t length_a, const char *b, size_t length_b) {
    unsigned rows[3][SUGGEST_LENGTH_MAX + 1];
    unsigned *before = rows[0], *last = rows[1], *current = rows[2];
    for (size_t j = 0; j <= length_b; j++)
        last[j] = before[j] = (unsigned)j;
    for (size_t i = 1; i <= length_a; i++) {
        current[0] = (unsigned)i;
        for (size_t j = 1; j <= length_b; j++) {
            const unsigned cost = fold(a[i - 1]) != fold(b[j - 1]);
            current[j] = least(least(last[j] + 1, current[j - 1] + 1), last[j - 1] + cost);
            if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) &&
                fold(a[i - 2]) == fold(b[j - 1]))
                current[j] = least(current[j], before[j - 2] + 1);
        }
        unsigned *const spare = before;
        before = last;
        last = current;
        current = spare;
    }
    return last[length_b];
}

void oriel_suggestion_offer(struct oriel_suggestion *suggestion, const char *candidate) {
    const size_t length = strlen(suggestion->name), other = strlen(candidate);
    if (length > SUGGEST_LENGTH_MAX || other > SUGGEST_LENGTH_MAX || !length || !other)
        return;
    const unsigned edits = distance(suggestion->name, length, candidate, other);
    const size_t longer = length > other ? length : other;
    if (edits > (longer + 2) / 3 || edits >= longer)
        return;
    if (!suggestion->best || edits < suggestion->distance) {
        suggestion->best = candidate;
        suggestion->distance = edits;
    }
}

const char *oriel_suggestion_text(const struct oriel_suggestion *suggestion, char *out,
                                  size_t size) {
    out[0] = '\0';
    if (suggestion->best)
        snprintf(out, size, "; did you mean '%s'?", suggestion->best);
    return out;
}
