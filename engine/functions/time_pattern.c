/*
 * Compiling of date patterns into items.
 */
#include "engine/functions/time_pattern.h"

#include "engine/functions/utf8.h"

enum { ITEM_BYTES_MAX = 24, LETTERS_MAX = 19 };

const char *const oriel_month_names[12] = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December",
};

const char *const oriel_day_names[7] = {
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
};

/* How many times a letter may stand; 0: it is no letter of a pattern. */
static unsigned most_of(char letter) {
    switch (letter) {
    case 'y':
    case 'u':
    case 'Y':
    case 'n':
    case 'N':
    case 'A': return LETTERS_MAX;
    case 'S': return 9;
    case 'M':
    case 'L':
    case 'E':
    case 'e':
    case 'G':
    case 'Q':
    case 'q': return 5;
    case 'c': return 5;
    case 'D': return 3;
    case 'd':
    case 'H':
    case 'h':
    case 'K':
    case 'k':
    case 'm':
    case 's':
    case 'w': return 2;
    case 'a':
    case 'W': return 1;
    default: return 0;
    }
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A number of so many digits, no fewer and no more. */
static bool has_fixed_width(const struct oriel_time_item *item) {
    switch (item->letter) {
    case 'M':
    case 'L':
    case 'd':
    case 'H':
    case 'h':
    case 'K':
    case 'k':
    case 'm':
    case 's':
    case 'y':
    case 'u': return item->count == 2;
    case 'D': return item->count == 3;
    case 'S': return true;
    default: return false;
    }
}

/* A pattern being compiled; `items` are those of `out`. */
struct builder {
    struct oriel_time_item *items;
    struct oriel_time_pattern *out;
};

static void add(struct builder *builder, char letter, size_t count, struct oriel_text text) {
    struct oriel_time_pattern *out = builder->out;
    builder->items[out->item_count++] =
        (struct oriel_time_item){.letter = letter, .count = (uint8_t)count, .text = text};
    out->text_bytes_max += letter ? ITEM_BYTES_MAX : text.length;
}

/* 'text', '' is a quote also inside; returns the offset behind it, 0 if it does not end. */
static size_t add_quoted(struct builder *builder, struct oriel_text pattern, size_t at) {
    if (at + 1 < pattern.length && pattern.bytes[at + 1] == '\'') {
        add(builder, 0, 0, (struct oriel_text){pattern.bytes + at, 1});
        return at + 2;
    }
    size_t start = at + 1;
    for (size_t end = start; end < pattern.length; end++) {
        if (pattern.bytes[end] != '\'')
            continue;
        const bool twice = end + 1 < pattern.length && pattern.bytes[end + 1] == '\'';
        add(builder, 0, 0, (struct oriel_text){pattern.bytes + start, end - start + twice});
        if (!twice)
            return end + 1;
        start = ++end + 1;
    }
    return 0;
}

/* SimpleDateFormat knows fewer letters, each as often as one likes. */
static unsigned most_of_lenient(char letter) {
    return strchr("GyYMLwWDdFEuaHkKhmsS", letter) ? LETTERS_MAX : 0;
}

static const char *bad_letter(struct oriel_arena *arena, char letter, size_t count) {
    const char *text;
    if (strchr("VvzOXxZ", letter))
        text = oriel_arena_print(arena, "Pattern letter '%c' needs a time with a zone", letter);
    else if (most_of(letter))
        text = oriel_arena_print(arena, "Too many pattern letters: %c, %zu of them", letter, count);
    else
        text = oriel_arena_print(arena, "Unknown pattern letter: %c", letter);
    return text ? text : "a bad pattern letter";
}

const char *oriel_time_pattern_compile(struct oriel_arena *arena, struct oriel_text pattern,
                                       bool lenient, struct oriel_time_pattern *out) {
    *out = (struct oriel_time_pattern){.lenient = lenient};
    const char *kept = oriel_arena_copy(arena, pattern.bytes, pattern.length);
    struct oriel_time_item *items =
        oriel_arena_allocate_zeroed(arena, pattern.length + 1, sizeof *items);
    struct builder builder = {items, out};
    out->items = items;
    if (!kept || !items)
        return "no memory for a pattern";
    pattern.bytes = kept;
    for (size_t at = 0; at < pattern.length;) {
        const char c = pattern.bytes[at];
        if (is_letter(c)) {
            size_t count = 1;
            while (at + count < pattern.length && pattern.bytes[at + count] == c)
                count++;
            if (count > (lenient ? most_of_lenient(c) : most_of(c)))
                return bad_letter(arena, c, count);
            add(&builder, c, count, (struct oriel_text){NULL, 0});
            at += count;
        } else if (c == '\'') {
            at = add_quoted(&builder, pattern, at);
            if (!at)
                return "Pattern ends with an incomplete string literal";
        } else if (!lenient && strchr("[]{}#", c)) {
            return "Pattern includes reserved character";
        } else {
            add(&builder, 0, 0, (struct oriel_text){pattern.bytes + at, 1});
            at++;
        }
    }
    for (size_t i = 0; i + 1 < out->item_count; i++) {
        const struct oriel_time_item *next = &items[i + 1];
        items[i].adjacent = lenient ? next->letter != 0 : has_fixed_width(next);
    }
    return NULL;
}
