/*
 * New strings from old ones: ||, CONCAT, CONCAT_WS, REPEAT, REVERSE, REPLACE, TRANSLATE, CHR.
 */
#include "engine/functions/function_table.h"
#include "engine/functions/text_result.h"
#include "engine/functions/utf8.h"

static enum oriel_status concat_row(const struct oriel_call *call,
                                    struct oriel_evaluation *evaluation,
                                    const struct oriel_column *arguments, size_t row,
                                    struct oriel_column *out) {
    size_t length = 0;
    for (uint32_t i = 0; i < call->argument_count; i++)
        length += oriel_text_at(&arguments[i], row).length;
    char *room;
    ORIEL_TRY(oriel_text_room(call, evaluation, length, &room));
    char *end = room;
    for (uint32_t i = 0; i < call->argument_count; i++) {
        const struct oriel_text text = oriel_text_at(&arguments[i], row);
        end = mempcpy(end, text.bytes, text.length);
    }
    oriel_text_point(out, row, room, length);
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(concat)

/* NULLs are passed over; a NULL separator gives NULL. */
static enum oriel_status concat_ws_row(const struct oriel_call *call,
                                       struct oriel_evaluation *evaluation,
                                       const struct oriel_column *arguments, size_t row,
                                       struct oriel_column *out) {
    if (oriel_column_is_null(&arguments[0], row)) {
        oriel_column_set_null(out, row);
        return ORIEL_OK;
    }
    const struct oriel_text separator = oriel_text_at(&arguments[0], row);
    size_t length = 0;
    for (uint32_t i = 1; i < call->argument_count; i++) {
        if (!oriel_column_is_null(&arguments[i], row))
            length += oriel_text_at(&arguments[i], row).length + separator.length;
    }
    char *room;
    ORIEL_TRY(oriel_text_room(call, evaluation, length, &room));
    char *end = room;
    bool first = true;
    for (uint32_t i = 1; i < call->argument_count; i++) {
        if (oriel_column_is_null(&arguments[i], row))
            continue;
        const struct oriel_text text = oriel_text_at(&arguments[i], row);
        if (!first)
            end = mempcpy(end, separator.bytes, separator.length);
        end = mempcpy(end, text.bytes, text.length);
        first = false;
    }
    oriel_text_point(out, row, room, (size_t)(end - room));
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(concat_ws)

static enum oriel_status repeat_row(const struct oriel_call *call,
                                    struct oriel_evaluation *evaluation,
                                    const struct oriel_column *arguments, size_t row,
                                    struct oriel_column *out) {
    const struct oriel_text text = oriel_text_at(&arguments[0], row);
    const int32_t count = oriel_i32_at(&arguments[1], row);
    if (count <= 0 || text.length == 0)
        return ORIEL_OK;
    char *room;
    ORIEL_TRY(oriel_text_room(call, evaluation, text.length * (size_t)count, &room));
    char *end = room;
    for (int32_t i = 0; i < count; i++)
        end = mempcpy(end, text.bytes, text.length);
    oriel_text_point(out, row, room, (size_t)(end - room));
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(repeat)

static enum oriel_status reverse_row(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row,
                                     struct oriel_column *out) {
    const struct oriel_text text = oriel_text_at(&arguments[0], row);
    char *room;
    ORIEL_TRY(oriel_text_room(call, evaluation, text.length, &room));
    for (size_t at = 0; at < text.length;) {
        size_t width = oriel_utf8_width(text.bytes[at]);
        if (width > text.length - at)
            width = text.length - at;
        memcpy(room + text.length - at - width, text.bytes + at, width);
        at += width;
    }
    oriel_text_point(out, row, room, text.length);
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(reverse)

/* Puts `by` before each character and at the end, as Java's String.replace does for an empty text.
 */
static enum oriel_status interleave(const struct oriel_call *call,
                                    struct oriel_evaluation *evaluation, struct oriel_text text,
                                    struct oriel_text by, size_t row, struct oriel_column *out) {
    const size_t places = oriel_utf8_count(text.bytes, text.length) + 1;
    char *room;
    ORIEL_TRY(oriel_text_room(call, evaluation, text.length + places * by.length, &room));
    char *end = mempcpy(room, by.bytes, by.length);
    for (size_t at = 0; at < text.length;) {
        const size_t width = oriel_utf8_width(text.bytes[at]);
        end = mempcpy(end, text.bytes + at, width);
        end = mempcpy(end, by.bytes, by.length);
        at += width;
    }
    oriel_text_point(out, row, room, (size_t)(end - room));
    return ORIEL_OK;
}

static size_t count_found(struct oriel_text text, struct oriel_text from) {
    size_t count = 0;
    const char *at = text.bytes, *end = text.bytes + text.length;
    while ((at = memmem(at, (size_t)(end - at), from.bytes, from.length))) {
        count++;
        at += from.length;
    }
    return count;
}

static enum oriel_status replace_row(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row,
                                     struct oriel_column *out) {
    const struct oriel_text text = oriel_text_at(&arguments[0], row);
    const struct oriel_text from = oriel_text_at(&arguments[1], row);
    const struct oriel_text by = oriel_text_at(&arguments[2], row);
    if (from.length == 0)
        return interleave(call, evaluation, text, by, row, out);
    const size_t count = count_found(text, from);
    if (count == 0) {
        oriel_text_point(out, row, text.bytes, text.length);
        return ORIEL_OK;
    }
    char *room;
    ORIEL_TRY(oriel_text_room(call, evaluation,
                              text.length - count * from.length + count * by.length, &room));
    char *to = room;
    const char *next = text.bytes, *end = text.bytes + text.length;
    for (size_t i = 0; i < count; i++) {
        const char *found = memmem(next, (size_t)(end - next), from.bytes, from.length);
        to = mempcpy(to, next, (size_t)(found - next));
        to = mempcpy(to, by.bytes, by.length);
        next = found + from.length;
    }
    to = mempcpy(to, next, (size_t)(end - next));
    oriel_text_point(out, row, room, (size_t)(to - room));
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(replace)

/* Each character of `from` becomes the one at the same place of `to`, or nothing. */
static enum oriel_status translate_row(const struct oriel_call *call,
                                       struct oriel_evaluation *evaluation,
                                       const struct oriel_column *arguments, size_t row,
                                       struct oriel_column *out) {
    const struct oriel_text text = oriel_text_at(&arguments[0], row);
    const struct oriel_text from = oriel_text_at(&arguments[1], row);
    const struct oriel_text to = oriel_text_at(&arguments[2], row);
    char *room;
    ORIEL_TRY(oriel_text_room(call, evaluation, 4 * text.length, &room));
    size_t length = 0;
    for (size_t at = 0; at < text.length;) {
        const size_t start = at;
        const uint32_t point = oriel_utf8_next(text.bytes, text.length, &at);
        size_t place = 0, in_from = 0;
        bool found = false;
        for (; in_from < from.length && !found; place++)
            found = oriel_utf8_next(from.bytes, from.length, &in_from) == point;
        if (!found) {
            memcpy(room + length, text.bytes + start, at - start);
            length += at - start;
            continue;
        }
        const size_t in_to = oriel_utf8_offset(to.bytes, to.length, place - 1);
        if (in_to < to.length) {
            const size_t width = oriel_utf8_width(to.bytes[in_to]);
            memcpy(room + length, to.bytes + in_to, width);
            length += width;
        }
    }
    oriel_text_point(out, row, room, length);
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(translate)

/* The character of Latin-1 with the code modulo 256; nothing for a negative code. */
static enum oriel_status chr_row(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                                 const struct oriel_column *arguments, size_t row,
                                 struct oriel_column *out) {
    (void)call, (void)evaluation;
    const int64_t code = ((const int64_t *)arguments[0].values)[row];
    char bytes[4];
    if (code >= 0)
        oriel_text_point(out, row, bytes, oriel_utf8_encode((uint32_t)(code & 255), bytes));
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(chr)

/* The lengths add up; fixed lengths stay fixed. */
static enum oriel_status bind_concat_operator(struct oriel_binding *binding,
                                              struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, "s", "'<STRING> || <STRING>'", error));
    const struct oriel_type *a = &binding->casts[0], *b = &binding->casts[1];
    struct oriel_type type = oriel_text_type((int64_t)a->length + b->length);
    if (a->id == ORIEL_TYPE_CHAR && b->id == ORIEL_TYPE_CHAR && type.length != ORIEL_LENGTH_MAX)
        type.id = ORIEL_TYPE_CHAR;
    return oriel_bind_result(binding, type, concat);
}

static enum oriel_status bind_string(struct oriel_binding *binding, const char *pattern,
                                     const char *forms, oriel_evaluate *evaluate,
                                     struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, pattern, forms, error));
    return oriel_bind_result(binding, oriel_type_string(), evaluate);
}

static enum oriel_status bind_concat(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_string(binding, "s", "'CONCAT(<STRING>, ...)'", concat, error);
}

static enum oriel_status bind_concat_ws(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(bind_string(binding, "s", "'CONCAT_WS(<STRING>, <STRING>, ...)'", concat_ws, error));
    binding->result.nullable = false; /* of any argument, though only the first makes it NULL */
    for (uint32_t i = 0; i < binding->argument_count; i++)
        binding->result.nullable |= binding->argument_types[i].nullable;
    return ORIEL_OK;
}

static enum oriel_status bind_repeat(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_string(binding, "si", "'REPEAT(<STRING>, <INT>)'", repeat, error);
}

static enum oriel_status bind_reverse(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(bind_string(binding, "s", "'REVERSE(<STRING>)'", reverse, error));
    binding->result.nullable = true;
    return ORIEL_OK;
}

static enum oriel_status bind_replace(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_string(binding, "s", "'REPLACE(<STRING>, <STRING>, <STRING>)'", replace, error);
}

static enum oriel_status bind_translate(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_string(binding, "s", "'TRANSLATE(<STRING>, <STRING>, <STRING>)'", translate, error);
}

static enum oriel_status bind_chr(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(bind_string(binding, "l", "'CHR(<INT>)'", chr, error));
    binding->result.nullable = true;
    return ORIEL_OK;
}

static const struct oriel_function rows[] = {
    {"CHR", 1, 1, ORIEL_FUNCTION_STRICT, bind_chr, NULL},
    {"CONCAT", 1, ORIEL_ARGUMENTS_ANY, ORIEL_FUNCTION_STRICT, bind_concat, NULL},
    {"CONCAT_WS", 1, ORIEL_ARGUMENTS_ANY, 0, bind_concat_ws, NULL},
    {"REPEAT", 2, 2, ORIEL_FUNCTION_STRICT, bind_repeat, NULL},
    {"REPLACE", 3, 3, ORIEL_FUNCTION_STRICT, bind_replace, NULL},
    {"REVERSE", 1, 1, ORIEL_FUNCTION_STRICT, bind_reverse, NULL},
    {"TRANSLATE", 3, 3, ORIEL_FUNCTION_STRICT, bind_translate, NULL},
    {"||", 2, 2, ORIEL_FUNCTION_STRICT, bind_concat_operator, NULL},
};

const struct oriel_function_group oriel_functions_string_build = {rows,
                                                                  sizeof rows / sizeof rows[0]};
