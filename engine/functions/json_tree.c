/*
 * Reading JSON as RFC 8259 has it, nothing laxer, as Flink does. A recursive descent whose depth is
 * limited; every node lies in an arena.
 */
#include "engine/functions/json_tree.h"

#include <stdlib.h>

#include "engine/base/number_text.h"
#include "engine/functions/utf8.h"

struct reader {
    struct oriel_arena *arena;
    struct oriel_error *error;
    struct oriel_text text;
    size_t at;
    unsigned depth;
    bool bad;
};

size_t oriel_json_skip_blanks(struct oriel_text text, size_t at) {
    while (at < text.length && (text.bytes[at] == ' ' || text.bytes[at] == '\t' ||
                                text.bytes[at] == '\n' || text.bytes[at] == '\r'))
        at++;
    return at;
}

static bool take(struct reader *reader, char byte) {
    reader->at = oriel_json_skip_blanks(reader->text, reader->at);
    if (reader->at >= reader->text.length || reader->text.bytes[reader->at] != byte)
        return false;
    reader->at++;
    return true;
}

/* The four hexadecimal digits at `at`, or -1. */
static int32_t unit_at(struct oriel_text text, size_t at) {
    int32_t unit = 0;
    if (text.length < 4 || at > text.length - 4)
        return -1;
    for (size_t i = at; i < at + 4; i++) {
        const char c = text.bytes[i], lower = (char)(c | 0x20);
        if (c >= '0' && c <= '9')
            unit = unit * 16 + (c - '0');
        else if (lower >= 'a' && lower <= 'f')
            unit = unit * 16 + (lower - 'a' + 10);
        else
            return -1;
    }
    return unit;
}

/* What stands behind a backslash; *at is behind the letter u. Half a pair becomes a question mark,
 * as Java encodes it. Returns the bytes written, 0 for no escape. */
static size_t unescape_unit(struct oriel_text text, size_t *at, char out[4]) {
    const int32_t unit = unit_at(text, *at);
    if (unit < 0)
        return 0;
    *at += 4;
    if (unit < 0xD800 || unit > 0xDFFF)
        return oriel_utf8_encode((uint32_t)unit, out);
    if (unit < 0xDC00 && *at + 1 < text.length && text.bytes[*at] == '\\' &&
        text.bytes[*at + 1] == 'u') {
        const int32_t low = unit_at(text, *at + 2);
        if (low >= 0xDC00 && low <= 0xDFFF) {
            *at += 6;
            return oriel_utf8_encode(
                0x10000 + ((uint32_t)(unit - 0xD800) << 10) + (uint32_t)(low - 0xDC00), out);
        }
    }
    out[0] = '?';
    return 1;
}

enum oriel_status oriel_json_unescape(struct oriel_arena *arena, struct oriel_text inside,
                                      struct oriel_text *out, bool *good,
                                      struct oriel_error *error) {
    static const char escapes[] = "\"\"\\\\//b\bf\fn\nr\rt\t";
    *good = true;
    *out = inside;
    if (!inside.length || !memchr(inside.bytes, '\\', inside.length))
        return ORIEL_OK;
    char *const room = oriel_arena_allocate(arena, inside.length);
    if (!room)
        return oriel_error_memory(error);
    size_t length = 0;
    for (size_t i = 0; *good && i < inside.length;) {
        if (inside.bytes[i] != '\\') {
            room[length++] = inside.bytes[i++];
            continue;
        }
        const char letter = i + 1 < inside.length ? inside.bytes[i + 1] : '\0';
        i += 2;
        if (letter == 'u') {
            const size_t written = unescape_unit(inside, &i, room + length);
            *good = written > 0;
            length += written;
            continue;
        }
        size_t e = 0;
        while (escapes[e] && escapes[e] != letter)
            e += 2;
        *good = escapes[e] != '\0';
        if (*good)
            room[length++] = escapes[e + 1];
    }
    *out = (struct oriel_text){room, length};
    return ORIEL_OK;
}

/* The string whose opening quote is here. */
static enum oriel_status read_string(struct reader *reader, struct oriel_text *out) {
    const struct oriel_text text = reader->text;
    const size_t start = reader->at + 1;
    size_t end = start;
    bool good;
    for (; end < text.length && text.bytes[end] != '"'; end++) {
        if ((unsigned char)text.bytes[end] < 0x20)
            break;
        end += text.bytes[end] == '\\';
    }
    reader->bad = end >= text.length || text.bytes[end] != '"';
    if (reader->bad)
        return ORIEL_OK;
    reader->at = end + 1;
    ORIEL_TRY(oriel_json_unescape(reader->arena,
                                  (struct oriel_text){text.bytes + start, end - start}, out, &good,
                                  reader->error));
    reader->bad = !good;
    return ORIEL_OK;
}

static size_t digits_at(struct oriel_text text, size_t at) {
    size_t end = at;
    while (end < text.length && text.bytes[end] >= '0' && text.bytes[end] <= '9')
        end++;
    return end - at;
}

/* Java takes no exponent beyond an int. */
static void read_number(struct reader *reader, struct oriel_json *out) {
    const struct oriel_text text = reader->text;
    const size_t start = reader->at;
    size_t at = start + (text.bytes[start] == '-');
    size_t digits = digits_at(text, at);
    reader->bad = digits == 0 || (digits > 1 && text.bytes[at] == '0');
    at += digits;
    size_t scale = 0;
    int64_t exponent = 0;
    if (at < text.length && text.bytes[at] == '.') {
        scale = digits_at(text, at + 1);
        reader->bad |= scale == 0;
        at += 1 + scale;
    }
    if (at < text.length && (text.bytes[at] | 0x20) == 'e') {
        const size_t sign = ++at;
        if (at < text.length && (text.bytes[at] == '+' || text.bytes[at] == '-'))
            at++;
        digits = digits_at(text, at);
        at += digits;
        reader->bad |= digits == 0 ||
                       oriel_integer_parse(text.bytes + sign, at - sign, INT32_MIN, INT32_MAX,
                                           &exponent) != ORIEL_INTEGER_OK ||
                       (int64_t)scale - exponent > INT32_MAX ||
                       (int64_t)scale - exponent < INT32_MIN;
    }
    out->kind = ORIEL_JSON_NUMBER;
    out->text = (struct oriel_text){text.bytes + start, at - start};
    reader->at = at;
}

static bool ends_word(struct oriel_text text, size_t at) {
    return at >= text.length ||
           !strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                   "0123456789_$\".-+",
                   text.bytes[at]) ||
           text.bytes[at] == '\0';
}

static void read_word(struct reader *reader, struct oriel_json *out) {
    static const char *const words[] = {"null", "false", "true"};
    const struct oriel_text text = reader->text;
    for (size_t i = 0; i < 3; i++) {
        const size_t length = strlen(words[i]);
        if (text.length - reader->at >= length &&
            memcmp(text.bytes + reader->at, words[i], length) == 0) {
            reader->at += length;
            out->kind = (enum oriel_json_kind)(ORIEL_JSON_NULL + i);
            return;
        }
    }
    reader->bad = true;
}

static enum oriel_status read_value(struct reader *reader, struct oriel_json **out);

static int compare_keys(const void *a, const void *b) {
    const struct oriel_json *x = *(const struct oriel_json *const *)a;
    const struct oriel_json *y = *(const struct oriel_json *const *)b;
    const size_t common = x->key.length < y->key.length ? x->key.length : y->key.length;
    const int order = common ? memcmp(x->key.bytes, y->key.bytes, common) : 0;
    if (order)
        return order;
    if (x->key.length != y->key.length)
        return x->key.length < y->key.length ? -1 : 1;
    return x->position < y->position ? -1 : x->position > y->position;
}

static bool same_key(const struct oriel_json *a, const struct oriel_json *b) {
    return a->key.length == b->key.length &&
           (!a->key.length || memcmp(a->key.bytes, b->key.bytes, a->key.length) == 0);
}

/* Of equal keys the first keeps its place and gets the value of the last. */
static enum oriel_status drop_repeated(struct reader *reader, struct oriel_json *object) {
    if (object->count < 2)
        return ORIEL_OK;
    struct oriel_json **order =
        oriel_arena_allocate_zeroed(reader->arena, object->count, sizeof *order);
    if (!order)
        return oriel_error_memory(reader->error);
    size_t count = 0;
    for (struct oriel_json *child = object->first; child; child = child->next)
        order[count++] = child;
    qsort(order, count, sizeof *order, compare_keys);
    bool repeated = false;
    for (size_t i = 0; i < count;) {
        size_t last = i;
        while (last + 1 < count && same_key(order[i], order[last + 1]))
            last++;
        struct oriel_json *const kept = order[i];
        if (last > i) {
            repeated = true;
            const struct oriel_json value = *order[last];
            for (size_t k = i + 1; k <= last; k++)
                order[k]->position = UINT32_MAX;
            kept->kind = value.kind;
            kept->count = value.count;
            kept->text = value.text;
            kept->first = value.first;
        }
        i = last + 1;
    }
    for (struct oriel_json **link = &object->first; repeated && *link;) {
        if ((*link)->position == UINT32_MAX) {
            *link = (*link)->next;
            object->count--;
        } else {
            link = &(*link)->next;
        }
    }
    return ORIEL_OK;
}

static enum oriel_status read_children(struct reader *reader, struct oriel_json *parent) {
    const bool object = parent->kind == ORIEL_JSON_OBJECT;
    const char close = object ? '}' : ']';
    struct oriel_json **link = &parent->first;
    reader->at++;
    if (take(reader, close))
        return ORIEL_OK;
    for (;;) {
        struct oriel_text key = {"", 0};
        if (object) {
            reader->at = oriel_json_skip_blanks(reader->text, reader->at);
            reader->bad =
                reader->at >= reader->text.length || reader->text.bytes[reader->at] != '"';
            if (reader->bad)
                return ORIEL_OK;
            ORIEL_TRY(read_string(reader, &key));
            reader->bad = reader->bad || !take(reader, ':');
            if (reader->bad)
                return ORIEL_OK;
        }
        ORIEL_TRY(read_value(reader, link));
        if (reader->bad)
            return ORIEL_OK;
        (*link)->key = key;
        (*link)->position = parent->count++;
        link = &(*link)->next;
        if (take(reader, close))
            return object ? drop_repeated(reader, parent) : ORIEL_OK;
        reader->bad = !take(reader, ',');
        if (reader->bad)
            return ORIEL_OK;
    }
}

static enum oriel_status read_value(struct reader *reader, struct oriel_json **out) {
    struct oriel_json *const json = oriel_arena_allocate_zeroed(reader->arena, 1, sizeof *json);
    if (!json)
        return oriel_error_memory(reader->error);
    *out = json;
    reader->at = oriel_json_skip_blanks(reader->text, reader->at);
    const char first = reader->at < reader->text.length ? reader->text.bytes[reader->at] : '\0';
    if (first == '"') {
        json->kind = ORIEL_JSON_STRING;
        ORIEL_TRY(read_string(reader, &json->text));
    } else if (first == '{' || first == '[') {
        reader->bad = reader->depth >= ORIEL_JSON_DEPTH_MAX;
        if (reader->bad)
            return ORIEL_OK;
        reader->depth++;
        json->kind = first == '{' ? ORIEL_JSON_OBJECT : ORIEL_JSON_ARRAY;
        ORIEL_TRY(read_children(reader, json));
        reader->depth--;
    } else {
        if (first == '-' || (first >= '0' && first <= '9'))
            read_number(reader, json);
        else
            read_word(reader, json);
        reader->bad |= !ends_word(reader->text, reader->at);
    }
    return ORIEL_OK;
}

enum oriel_status oriel_json_read(struct oriel_arena *arena, struct oriel_text text,
                                  struct oriel_json **out, size_t *end, struct oriel_error *error) {
    struct reader reader = {.arena = arena, .error = error, .text = text};
    *out = NULL;
    ORIEL_TRY(read_value(&reader, out));
    if (reader.bad)
        *out = NULL;
    *end = reader.at;
    return ORIEL_OK;
}
