/*
 * Parts of strings, counted in characters: SUBSTRING, LEFT, RIGHT, OVERLAY, SPLIT_INDEX. A part
 * lies in the text that it comes from; nothing is copied.
 */
#include "engine/functions/function_table.h"
#include "engine/functions/text_result.h"
#include "engine/functions/utf8.h"

/* Characters [start, start + count) of a text. */
static void set_part(struct oriel_column *out, size_t row, struct oriel_text text, size_t start,
                     size_t count) {
    const size_t from = oriel_utf8_offset(text.bytes, text.length, start);
    const size_t bytes = oriel_utf8_offset(text.bytes + from, text.length - from, count);
    oriel_text_point(out, row, text.bytes + from, bytes);
}

/* Position 0 acts as 1, a negative one counts from the end; a negative length gives NULL. */
static enum oriel_status substring_row(const struct oriel_call *call,
                                       struct oriel_evaluation *evaluation,
                                       const struct oriel_column *arguments, size_t row,
                                       struct oriel_column *out) {
    (void)evaluation;
    const struct oriel_text text = oriel_text_at(&arguments[0], row);
    const int32_t position = oriel_i32_at(&arguments[1], row);
    const int32_t length = call->argument_count > 2 ? oriel_i32_at(&arguments[2], row) : INT32_MAX;
    if (length < 0) {
        oriel_column_set_null(out, row);
        return ORIEL_OK;
    }
    int64_t start = position > 0 ? position - 1 : 0;
    if (position < 0) {
        start = (int64_t)oriel_utf8_count(text.bytes, text.length) + position;
        if (start < 0)
            return ORIEL_OK;
    }
    set_part(out, row, text, (size_t)start, (size_t)length);
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(substring)

static enum oriel_status left_row(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row,
                                  struct oriel_column *out) {
    (void)call, (void)evaluation;
    const int32_t count = oriel_i32_at(&arguments[1], row);
    if (count > 0)
        set_part(out, row, oriel_text_at(&arguments[0], row), 0, (size_t)count);
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(left)

static enum oriel_status right_row(const struct oriel_call *call,
                                   struct oriel_evaluation *evaluation,
                                   const struct oriel_column *arguments, size_t row,
                                   struct oriel_column *out) {
    (void)call, (void)evaluation;
    const struct oriel_text text = oriel_text_at(&arguments[0], row);
    const int32_t count = oriel_i32_at(&arguments[1], row);
    const size_t characters = oriel_utf8_count(text.bytes, text.length);
    if (count > 0)
        set_part(out, row, text, characters > (size_t)count ? characters - (size_t)count : 0,
                 (size_t)count);
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(right)

/* Counts in UTF-16 units, as Java's strings do; half a character becomes a question mark. */
static enum oriel_status overlay_row(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row,
                                     struct oriel_column *out) {
    const struct oriel_text text = oriel_text_at(&arguments[0], row);
    const struct oriel_text patch = oriel_text_at(&arguments[1], row);
    const int64_t start = oriel_i32_at(&arguments[2], row);
    const int64_t units = (int64_t)oriel_utf16_count(text.bytes, text.length);
    const int64_t length = call->argument_count > 3
                               ? oriel_i32_at(&arguments[3], row)
                               : (int64_t)oriel_utf16_count(patch.bytes, patch.length);
    if (start <= 0 || start > units) {
        oriel_text_point(out, row, text.bytes, text.length);
        return ORIEL_OK;
    }
    bool half_head, half_tail = false;
    const size_t head = oriel_utf16_offset(text.bytes, text.length, (size_t)start - 1, &half_head);
    size_t tail = text.length;
    if (length > 0 && start + length <= units)
        tail =
            oriel_utf16_offset(text.bytes, text.length, (size_t)(start - 1 + length), &half_tail);
    char *room;
    ORIEL_TRY(
        oriel_text_room(call, evaluation, head + patch.length + text.length - tail + 2, &room));
    char *end = mempcpy(room, text.bytes, head);
    if (half_head)
        *end++ = '?';
    end = mempcpy(end, patch.bytes, patch.length);
    if (half_tail) {
        *end++ = '?';
        tail += oriel_utf8_width(text.bytes[tail]);
    }
    end = mempcpy(end, text.bytes + tail, text.length - tail);
    oriel_text_point(out, row, room, (size_t)(end - room));
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(overlay)

/* The next place of the separator from `from` on, or the end; *width is what it takes there. An
 * empty separator stands for a blank. */
static size_t find_separator(struct oriel_text text, struct oriel_text separator, size_t from,
                             size_t *width) {
    *width = separator.length ? separator.length : 1;
    for (size_t at = from; at + *width <= text.length; at++) {
        if (separator.length ? memcmp(text.bytes + at, separator.bytes, separator.length) == 0
                             : strchr(" \t\n\v\f\r", text.bytes[at]) != NULL && text.bytes[at])
            return at;
    }
    return text.length;
}

static enum oriel_status split_index_row(const struct oriel_call *call,
                                         struct oriel_evaluation *evaluation,
                                         const struct oriel_column *arguments, size_t row,
                                         struct oriel_column *out) {
    (void)evaluation;
    const struct oriel_text text = oriel_text_at(&arguments[0], row);
    int32_t index = oriel_i32_at(&arguments[2], row);
    char code[4];
    struct oriel_text separator;
    if (oriel_type_is_character(&call->argument_types[1])) {
        separator = oriel_text_at(&arguments[1], row);
    } else {
        const int32_t point = oriel_i32_at(&arguments[1], row);
        const bool fits = point >= 0 && point < 0x110000;
        separator = (struct oriel_text){code, fits ? oriel_utf8_encode((uint32_t)point, code) : 0};
        if (!fits)
            index = -1;
    }
    size_t start = 0, width, end = find_separator(text, separator, 0, &width);
    for (; index > 0 && end < text.length; index--) {
        start = end + width;
        end = find_separator(text, separator, start, &width);
    }
    if (index != 0 || text.length == 0)
        oriel_column_set_null(out, row);
    else
        oriel_text_point(out, row, text.bytes + start, end - start);
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(split_index)

static enum oriel_status bind_part(struct oriel_binding *binding, const char *pattern,
                                   const char *forms, oriel_evaluate *evaluate,
                                   struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, pattern, forms, error));
    oriel_bind_result(binding, oriel_text_type(binding->casts[0].length), evaluate);
    binding->result.nullable = true;
    return ORIEL_OK;
}

static enum oriel_status bind_substring(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_part(binding, "si", "'SUBSTRING(<STRING>, <INT>[, <INT>])'", substring, error);
}

static enum oriel_status bind_left(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_part(binding, "si", "'LEFT(<STRING>, <INT>)'", left, error);
}

static enum oriel_status bind_right(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_part(binding, "si", "'RIGHT(<STRING>, <INT>)'", right, error);
}

static enum oriel_status bind_overlay(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(
        binding, "ssi", "'OVERLAY(<STRING> PLACING <STRING> FROM <INT> [FOR <INT>])'", error));
    const struct oriel_type type =
        oriel_text_type((int64_t)binding->casts[0].length + binding->casts[1].length);
    return oriel_bind_result(binding, type, overlay);
}

static enum oriel_status bind_split_index(struct oriel_binding *binding,
                                          struct oriel_error *error) {
    const bool code = oriel_type_is_integer(&binding->argument_types[1]);
    ORIEL_TRY(oriel_bind_arguments(binding, code ? "sii" : "ssi",
                                   "'SPLIT_INDEX(<STRING>, <STRING> or <INT>, <INT>)'", error));
    oriel_bind_result(binding, oriel_type_string(), split_index);
    binding->result.nullable = true;
    return ORIEL_OK;
}

static const struct oriel_function rows[] = {
    {"LEFT", 2, 2, ORIEL_FUNCTION_STRICT, bind_left, NULL},
    {"OVERLAY", 3, 4, ORIEL_FUNCTION_STRICT, bind_overlay, NULL},
    {"RIGHT", 2, 2, ORIEL_FUNCTION_STRICT, bind_right, NULL},
    {"SPLIT_INDEX", 3, 3, ORIEL_FUNCTION_STRICT, bind_split_index, NULL},
    {"SUBSTR", 2, 3, ORIEL_FUNCTION_STRICT, bind_substring, NULL},
    {"SUBSTRING", 2, 3, ORIEL_FUNCTION_STRICT, bind_substring, NULL},
};

const struct oriel_function_group oriel_functions_string_slice = {rows,
                                                                  sizeof rows / sizeof rows[0]};
