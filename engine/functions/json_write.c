/*
 * JSON trees back to text, without blanks, keys in order, numbers in Java's form.
 */
#include <stdlib.h>

#include "engine/base/number_text.h"
#include "engine/functions/json_tree.h"
#include "engine/functions/json_value.h"

int oriel_json_compare_keys(struct oriel_text a, struct oriel_text b) {
    const size_t common = a.length < b.length ? a.length : b.length;
    for (size_t i = 0; i < common; i++) {
        unsigned char x = (unsigned char)a.bytes[i], y = (unsigned char)b.bytes[i];
        if (x == y)
            continue;
        /* Characters of four bytes are surrogates in UTF-16, which come before U+E000. */
        const bool swapped =
            (x >= 0xF0 && y >= 0xEE && y < 0xF0) || (y >= 0xF0 && x >= 0xEE && x < 0xF0);
        return (x < y) != swapped ? -1 : 1;
    }
    return a.length < b.length ? -1 : a.length > b.length;
}

static int compare_children(const void *a, const void *b) {
    return oriel_json_compare_keys((*(const struct oriel_json *const *)a)->key,
                                   (*(const struct oriel_json *const *)b)->key);
}

static bool is_integer(struct oriel_text number) {
    for (size_t i = 0; i < number.length; i++) {
        if (number.bytes[i] == '.' || (number.bytes[i] | 0x20) == 'e')
            return false;
    }
    return true;
}

/* The reader has checked that exponent and scale are int, as BigDecimal wants them. */
enum oriel_status oriel_json_append_number(struct oriel_text_buffer *text,
                                           struct oriel_text number) {
    if (is_integer(number)) {
        if (number.length == 2 && memcmp(number.bytes, "-0", 2) == 0)
            return oriel_text_buffer_append(text, "0", 1);
        return oriel_text_buffer_append(text, number.bytes, number.length);
    }
    const bool negative = number.bytes[0] == '-';
    size_t at = negative, count = 0;
    int64_t scale = 0, exponent = 0;
    bool fraction = false;
    /* The digits go behind what will be written, then are moved into their form. */
    ORIEL_TRY(oriel_text_buffer_reserve(text, 2 * number.length + 64));
    char *const digits = text->bytes + text->length + number.length + 64;
    for (; at < number.length && (number.bytes[at] | 0x20) != 'e'; at++) {
        if (number.bytes[at] == '.') {
            fraction = true;
            continue;
        }
        scale += fraction;
        if (count || number.bytes[at] != '0')
            digits[count++] = number.bytes[at];
    }
    if (at < number.length)
        oriel_integer_parse(number.bytes + at + 1, number.length - at - 1, INT32_MIN, INT32_MAX,
                            &exponent);
    scale -= exponent;
    if (!count)
        return oriel_json_append_decimal(text, false, "0", 1, (int)scale);
    return oriel_json_append_decimal(text, negative, digits, (int)count, (int)scale);
}

static enum oriel_status append_object(struct oriel_arena *arena, struct oriel_text_buffer *text,
                                       const struct oriel_json *json) {
    const struct oriel_json **order =
        oriel_arena_allocate_zeroed(arena, (size_t)json->count + 1, sizeof *order);
    if (!order)
        return ORIEL_MEMORY;
    size_t count = 0;
    for (const struct oriel_json *child = json->first; child; child = child->next)
        order[count++] = child;
    qsort(order, count, sizeof *order, compare_children);
    ORIEL_TRY(oriel_text_buffer_append(text, "{", 1));
    for (size_t i = 0; i < count; i++) {
        if (i)
            ORIEL_TRY(oriel_text_buffer_append(text, ",", 1));
        ORIEL_TRY(oriel_json_append_text(text, order[i]->key.bytes, order[i]->key.length));
        ORIEL_TRY(oriel_text_buffer_append(text, ":", 1));
        ORIEL_TRY(oriel_json_append_tree(arena, text, order[i]));
    }
    return oriel_text_buffer_append(text, "}", 1);
}

enum oriel_status oriel_json_append_tree(struct oriel_arena *arena, struct oriel_text_buffer *text,
                                         const struct oriel_json *json) {
    switch (json->kind) {
    case ORIEL_JSON_NULL: return oriel_text_buffer_append(text, "null", 4);
    case ORIEL_JSON_FALSE: return oriel_text_buffer_append(text, "false", 5);
    case ORIEL_JSON_TRUE: return oriel_text_buffer_append(text, "true", 4);
    case ORIEL_JSON_NUMBER: return oriel_json_append_number(text, json->text);
    case ORIEL_JSON_STRING:
        return oriel_json_append_text(text, json->text.bytes, json->text.length);
    case ORIEL_JSON_ARRAY: break;
    case ORIEL_JSON_OBJECT: return append_object(arena, text, json);
    }
    ORIEL_TRY(oriel_text_buffer_append(text, "[", 1));
    for (const struct oriel_json *child = json->first; child; child = child->next) {
        if (child != json->first)
            ORIEL_TRY(oriel_text_buffer_append(text, ",", 1));
        ORIEL_TRY(oriel_json_append_tree(arena, text, child));
    }
    return oriel_text_buffer_append(text, "]", 1);
}
