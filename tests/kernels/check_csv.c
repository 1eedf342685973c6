/* Checks of the separator and UTF-8 kernels: random text over small alphabets, so that every
 * combination of separators, quotes and line ends occurs at every place of a 64-byte block. */
#include "tests/kernels/check.h"

#include <string.h>

enum { SLOT_TEXT, SLOT_POSITIONS_A, SLOT_POSITIONS_B, SLOT_ENDS_A, SLOT_ENDS_B };

enum { ROOM_AFTER = 64, ENDS_AFTER = 8 };

/* Alphabets from dense to sparse; a character's share is how often it stands in the string. */
static const char *const alphabets[] = {
    ",",
    "\n",
    "a",
    "\"",
    ",\n\"",
    ",\n\"\r",
    "ab,\n",
    "abcdefghijklmno,\"",
    "abcdefgh0123456789,,,\n\r",
    "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz,\n",
    "aaaaaa,,\n\"\"\"",
    "a\xC3\xA9,\n\"\x80",
};

enum { ALPHABET_COUNT = sizeof alphabets / sizeof alphabets[0] };

static char *random_text(struct check *check, const char *alphabet, size_t length) {
    char *const text = check_place(check, SLOT_TEXT, length, ORIEL_KERNEL_PADDING);
    const size_t choices = strlen(alphabet);
    for (size_t i = 0; i < length; i++)
        text[i] = alphabet[check_below(check, choices)];
    return text;
}

/* Well-formed CSV: fields that are plain, or quoted with separators and doubled quotes inside. */
static char *regular_text(struct check *check, size_t length) {
    char *const text = check_place(check, SLOT_TEXT, length, ORIEL_KERNEL_PADDING);
    size_t at = 0;
    while (at < length) {
        const int quotes = check_below(check, 2) == 0;
        size_t left = check_below(check, 20);
        if (quotes)
            text[at++] = '"';
        for (; left > 0 && at < length; left--) {
            const char c = "ab,\n\"c"[check_below(check, quotes ? 6 : 2)];
            text[at++] = c;
            if (c == '"' && at < length)
                text[at++] = '"';
        }
        if (quotes && at < length)
            text[at++] = '"';
        if (at < length)
            text[at++] = check_below(check, 4) == 0 ? '\n' : ',';
    }
    return text;
}

struct index_output {
    uint32_t *positions;
    uint32_t *record_ends;
    struct oriel_csv_index index;
};

static struct index_output place_output(struct check *check, int positions, int ends,
                                        size_t length) {
    struct index_output output = {
        .positions = check_place(check, positions, (length + ROOM_AFTER) * 4, 0),
        .record_ends = check_place(check, ends, (length + ENDS_AFTER) * 4, 0),
    };
    memset(&output.index, positions, sizeof output.index);
    return output;
}

static void compare_output(struct check *check, size_t length, const struct index_output *a,
                           const struct index_output *b) {
    check_same_number(check, "has_quote", length, a->index.has_quote, b->index.has_quote);
    check_same_number(check, "has_non_ascii", length, a->index.has_non_ascii,
                      b->index.has_non_ascii);
    check_same_number(check, "has_cr", length, a->index.has_cr, b->index.has_cr);
    check_same_number(check, "state", length, a->index.state, b->index.state);
    check_same_number(check, "bad_offset", length, a->index.bad_offset, b->index.bad_offset);
    if (check_same_number(check, "position_count", length, a->index.position_count,
                          b->index.position_count))
        check_same(check, "positions", length, a->positions, b->positions, 4,
                   a->index.position_count);
    if (check_same_number(check, "record_count", length, a->index.record_count,
                          b->index.record_count))
        check_same(check, "record_ends", length, a->record_ends, b->record_ends, 4,
                   a->index.record_count);
}

void check_csv_index(struct check *check) {
    static const int quotes[] = {'"', -1, 0xC3};
    size_t length;
    for (size_t step = 0; check_count(step, &length) && check->failures == 0; step++) {
        for (size_t a = 0; a < ALPHABET_COUNT * 3; a++) {
            const int quote = quotes[a % 3];
            const char delimiter = a % 2 == 0 ? ',' : '\r';
            const char *const text = random_text(check, alphabets[a / 3], length);
            struct index_output want = place_output(check, SLOT_POSITIONS_A, SLOT_ENDS_A, length);
            struct index_output have = place_output(check, SLOT_POSITIONS_B, SLOT_ENDS_B, length);
            check->reference->csv_index(text, length, delimiter, quote, want.positions,
                                        want.record_ends, &want.index);
            check->tested->csv_index(text, length, delimiter, quote, have.positions,
                                     have.record_ends, &have.index);
            if (want.index.has_quote)
                check_same_number(check, "has_quote", length, 1, have.index.has_quote);
            else
                compare_output(check, length, &want, &have);
        }
    }
}

/* The pieces of a text, with the state carried over, must give what the whole gives. */
static void check_cut(struct check *check, const char *text, size_t length,
                      enum oriel_csv_state state, const struct index_output *whole) {
    const size_t cut = check_below(check, length + 1);
    struct index_output piece = place_output(check, SLOT_POSITIONS_B, SLOT_ENDS_B, length);
    struct oriel_csv_index rest;
    check->tested->csv_index_quoted(text, cut, ',', '"', state, piece.positions, piece.record_ends,
                                    &piece.index);
    const uint32_t before = piece.index.position_count;
    check->tested->csv_index_quoted(text + cut, length - cut, ',', '"', piece.index.state,
                                    piece.positions + before,
                                    piece.record_ends + piece.index.record_count, &rest);
    for (uint32_t i = 0; i < rest.position_count; i++)
        piece.positions[before + i] += (uint32_t)cut;
    for (uint32_t i = 0; i < rest.record_count; i++)
        piece.record_ends[piece.index.record_count + i] += before;
    piece.index.position_count += rest.position_count;
    piece.index.record_count += rest.record_count;
    piece.index.state = rest.state;
    piece.index.has_quote |= rest.has_quote;
    piece.index.has_non_ascii |= rest.has_non_ascii;
    piece.index.has_cr |= rest.has_cr;
    if (piece.index.bad_offset == UINT32_MAX && rest.bad_offset != UINT32_MAX)
        piece.index.bad_offset = rest.bad_offset + (uint32_t)cut;
    compare_output(check, length, whole, &piece);
}

void check_csv_index_quoted(struct check *check) {
    size_t length;
    for (size_t step = 0; check_count(step, &length) && check->failures == 0; step++) {
        for (size_t a = 0; a < ALPHABET_COUNT * 2; a++) {
            const char *const text = a % 2 == 0 ? random_text(check, alphabets[a / 2], length)
                                                : regular_text(check, length);
            for (int s = ORIEL_CSV_FIELD_START; s <= ORIEL_CSV_QUOTE_SEEN; s++) {
                const enum oriel_csv_state state = (enum oriel_csv_state)s;
                struct index_output want =
                    place_output(check, SLOT_POSITIONS_A, SLOT_ENDS_A, length);
                struct index_output have =
                    place_output(check, SLOT_POSITIONS_B, SLOT_ENDS_B, length);
                check->reference->csv_index_quoted(text, length, ',', '"', state, want.positions,
                                                   want.record_ends, &want.index);
                check->tested->csv_index_quoted(text, length, ',', '"', state, have.positions,
                                                have.record_ends, &have.index);
                compare_output(check, length, &want, &have);
                check_cut(check, text, length, state, &want);
            }
        }
    }
}

/* Appends the UTF-8 form of a code point, surrogates included; returns its length. */
static size_t put_point(unsigned char *to, uint32_t point) {
    if (point < 0x80) {
        to[0] = (unsigned char)point;
        return 1;
    }
    if (point < 0x800) {
        to[0] = (unsigned char)(0xC0 | point >> 6);
        to[1] = (unsigned char)(0x80 | (point & 0x3F));
        return 2;
    }
    if (point < 0x10000) {
        to[0] = (unsigned char)(0xE0 | point >> 12);
        to[1] = (unsigned char)(0x80 | (point >> 6 & 0x3F));
        to[2] = (unsigned char)(0x80 | (point & 0x3F));
        return 3;
    }
    to[0] = (unsigned char)(0xF0 | point >> 18);
    to[1] = (unsigned char)(0x80 | (point >> 12 & 0x3F));
    to[2] = (unsigned char)(0x80 | (point >> 6 & 0x3F));
    to[3] = (unsigned char)(0x80 | (point & 0x3F));
    return 4;
}

static void compare_utf8(struct check *check, const char *text, size_t length) {
    check_same_number(check, "valid length", length, check->reference->utf8_validate(text, length),
                      check->tested->utf8_validate(text, length));
}

/* Every lead and second byte with the edges of the third and fourth, around the borders of the
 * first three blocks, inside the text and cut off at its end. */
static void check_utf8_edges(struct check *check) {
    static const unsigned char edges[4] = {0x7F, 0x80, 0xBF, 0xC0};
    enum { BEFORE_MAX = 140, AFTER = 70 };
    char *const text = check_place(check, SLOT_TEXT, BEFORE_MAX + 4 + AFTER, ORIEL_KERNEL_PADDING);
    for (unsigned first = 0x80; first < 0x100; first++) {
        for (unsigned second = 0; second < 0x100; second++) {
            const size_t before = (first * 5 + second) % BEFORE_MAX;
            memset(text, 'a', BEFORE_MAX + 4 + AFTER);
            text[before] = (char)first;
            text[before + 1] = (char)second;
            for (unsigned r = 0; r < 16; r++) {
                text[before + 2] = (char)edges[r % 4];
                text[before + 3] = (char)edges[r / 4];
                compare_utf8(check, text, before + 4 + AFTER);
                compare_utf8(check, text, before + 4 - r % 4);
            }
        }
    }
}

void check_utf8_validate(struct check *check) {
    static const uint32_t limits[] = {0x80, 0x800, 0x10000, 0x110000};
    check_utf8_edges(check);
    size_t length;
    for (size_t step = 0; check_count(step, &length) && check->failures == 0; step++) {
        for (int kind = 0; kind < 24; kind++) {
            unsigned char *const text = check_place(check, SLOT_TEXT, length, ORIEL_KERNEL_PADDING);
            memset(text, 'x', length);
            for (size_t at = 0; at + 4 <= length;)
                at += put_point(text + at, (uint32_t)check_below(check, limits[kind % 4]));
            if (kind >= 8 && length > 0)
                text[check_below(check, length)] = (unsigned char)check_random(check);
            if (kind >= 16 && length > 0)
                text[length - 1] = (unsigned char)check_random(check);
            compare_utf8(check, (const char *)text, length);
        }
    }
}
