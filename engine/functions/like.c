/*
 * LIKE: patterns become a list of bytes and wildcards once, for a constant pattern while it is
 * bound. There is no escape character but the one that is given.
 */
#include "engine/functions/function_table.h"
#include "engine/functions/text_result.h"
#include "engine/functions/utf8.h"

enum { ITEM_ONE = 256, ITEM_MANY = 257 }; /* `_` and `%`; below: a byte */

enum shape { SHAPE_EXACT, SHAPE_PREFIX, SHAPE_SUFFIX, SHAPE_CONTAINS, SHAPE_GENERAL };

struct like {
    enum shape shape;
    struct oriel_text literal; /* all but SHAPE_GENERAL */
    uint16_t *items;
    size_t item_count;
};

static enum oriel_status bad_escape(struct oriel_text pattern, size_t at,
                                    struct oriel_position position, struct oriel_error *error) {
    return oriel_error_at(error, ORIEL_INVALID, position, "Invalid escape sequence '%.*s', %zu",
                          (int)pattern.length, pattern.bytes, oriel_utf8_count(pattern.bytes, at));
}

/* Finds patterns that need no matcher: text, text%, %text, %text%. */
static void find_shape(struct like *like, char *bytes) {
    size_t first = 0, last = like->item_count;
    const bool many_first = last > 0 && like->items[0] == ITEM_MANY;
    if (many_first)
        first++;
    const bool many_last = last > first && like->items[last - 1] == ITEM_MANY;
    if (many_last)
        last--;
    for (size_t i = first; i < last; i++) {
        if (like->items[i] > UINT8_MAX)
            return;
        bytes[i - first] = (char)like->items[i];
    }
    like->literal = (struct oriel_text){bytes, last - first};
    if (many_first)
        like->shape = many_last || first == last ? SHAPE_CONTAINS : SHAPE_SUFFIX;
    else
        like->shape = many_last ? SHAPE_PREFIX : SHAPE_EXACT;
}

static enum oriel_status compile(struct oriel_arena *arena, struct oriel_text pattern,
                                 const struct oriel_text *escape, struct oriel_position position,
                                 struct like *out, struct oriel_error *error) {
    if (escape && oriel_utf8_count(escape->bytes, escape->length) != 1)
        return oriel_error_at(error, ORIEL_INVALID, position, "Invalid escape character '%.*s'",
                              (int)escape->length, escape->bytes);
    *out = (struct like){.shape = SHAPE_GENERAL};
    out->items = oriel_arena_allocate(arena, (pattern.length + 1) * sizeof *out->items);
    char *bytes = oriel_arena_allocate(arena, pattern.length + 1);
    if (!out->items || !bytes)
        return oriel_error_memory(error);
    for (size_t at = 0; at < pattern.length; at++) {
        const char c = pattern.bytes[at];
        if (escape && pattern.length - at >= escape->length &&
            memcmp(pattern.bytes + at, escape->bytes, escape->length) == 0) {
            const size_t next = at + escape->length;
            const bool escapes_itself =
                pattern.length - next >= escape->length &&
                memcmp(pattern.bytes + next, escape->bytes, escape->length) == 0;
            if (next == pattern.length ||
                (!escapes_itself && pattern.bytes[next] != '%' && pattern.bytes[next] != '_'))
                return bad_escape(pattern, at, position, error);
            const size_t width = escapes_itself ? escape->length : 1;
            for (size_t i = 0; i < width; i++)
                out->items[out->item_count++] = (unsigned char)pattern.bytes[next + i];
            at = next + width - 1;
        } else if (c == '%') {
            if (out->item_count == 0 || out->items[out->item_count - 1] != ITEM_MANY)
                out->items[out->item_count++] = ITEM_MANY;
        } else {
            out->items[out->item_count++] = c == '_' ? ITEM_ONE : (unsigned char)c;
        }
    }
    find_shape(out, bytes);
    return ORIEL_OK;
}

/* Takes back the last `%` for one more character whenever what follows it does not match. */
static bool match_items(const struct like *like, struct oriel_text text) {
    size_t at = 0, item = 0, many_item = SIZE_MAX, many_at = 0;
    for (;;) {
        if (item < like->item_count && like->items[item] == ITEM_MANY) {
            many_item = ++item;
            many_at = at;
            continue;
        }
        if (item == like->item_count && at == text.length)
            return true;
        if (at < text.length && item < like->item_count) {
            if (like->items[item] == ITEM_ONE) {
                at += oriel_utf8_width(text.bytes[at]);
                item++;
                continue;
            }
            if (like->items[item] == (unsigned char)text.bytes[at]) {
                at++;
                item++;
                continue;
            }
        }
        if (many_item == SIZE_MAX || many_at >= text.length)
            return false;
        many_at += oriel_utf8_width(text.bytes[many_at]);
        at = many_at;
        item = many_item;
    }
}

static bool match(const struct like *like, struct oriel_text text) {
    const struct oriel_text literal = like->literal;
    switch (like->shape) {
    case SHAPE_EXACT: return oriel_text_equal(text, literal);
    case SHAPE_PREFIX:
        return literal.length <= text.length &&
               memcmp(text.bytes, literal.bytes, literal.length) == 0;
    case SHAPE_SUFFIX:
        return literal.length <= text.length && memcmp(text.bytes + text.length - literal.length,
                                                       literal.bytes, literal.length) == 0;
    case SHAPE_CONTAINS:
        return literal.length == 0 ||
               memmem(text.bytes, text.length, literal.bytes, literal.length) != NULL;
    default: return match_items(like, text);
    }
}

static enum oriel_status like_constant(const struct oriel_call *call,
                                       struct oriel_evaluation *evaluation,
                                       const struct oriel_column *arguments, size_t row_count,
                                       struct oriel_column *out) {
    uint8_t *results = out->values;
    for (size_t row = 0; row < row_count; row++)
        results[row] = oriel_row_counts(evaluation, out, row) &&
                       match(call->state, oriel_text_at(&arguments[0], row));
    return ORIEL_OK;
}

static enum oriel_status like_any(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row_count,
                                  struct oriel_column *out) {
    uint8_t *results = out->values;
    struct oriel_text before = {NULL, 0}, escape;
    struct like like = {.shape = SHAPE_EXACT};
    for (size_t row = 0; row < row_count; row++) {
        results[row] = 0;
        if (!oriel_row_counts(evaluation, out, row))
            continue;
        const struct oriel_text pattern = oriel_text_at(&arguments[1], row);
        const bool has_escape = call->argument_count > 2;
        if (has_escape)
            escape = oriel_text_at(&arguments[2], row);
        if (has_escape || !before.bytes || !oriel_text_equal(before, pattern)) {
            ORIEL_TRY(compile(evaluation->batch_arena, pattern, has_escape ? &escape : NULL,
                              call->position, &like, evaluation->error));
            before = pattern;
        }
        results[row] = match(&like, oriel_text_at(&arguments[0], row));
    }
    return ORIEL_OK;
}

/* A constant pattern is compiled here; with one that is not, constants stay expanded. */
static enum oriel_status bind_like(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(
        oriel_bind_arguments(binding, "s", "'<STRING> LIKE <STRING> [ESCAPE <STRING>]'", error));
    struct oriel_text pattern, escape;
    const bool has_escape = binding->argument_count > 2;
    const bool constant = oriel_bind_constant_text(binding, 1, &pattern) &&
                          (!has_escape || oriel_bind_constant_text(binding, 2, &escape));
    if (constant) {
        struct like *like = oriel_bind_state(binding, sizeof *like, error);
        if (!like)
            return ORIEL_MEMORY;
        ORIEL_TRY(compile(binding->statement_arena, pattern, has_escape ? &escape : NULL,
                          binding->position, like, error));
    }
    return oriel_bind_result(binding, oriel_type_make(ORIEL_TYPE_BOOLEAN),
                             constant ? like_constant : like_any);
}

static const struct oriel_function rows[] = {
    {"LIKE", 2, 3, ORIEL_FUNCTION_STRICT, bind_like, NULL},
};

const struct oriel_function_group oriel_functions_like = {rows, sizeof rows / sizeof rows[0]};
