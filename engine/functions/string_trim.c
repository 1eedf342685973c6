/*
 * The ends of strings: TRIM and its forms take characters away, LPAD and RPAD add them.
 */
#include "engine/functions/function_table.h"
#include "engine/functions/text_result.h"
#include "engine/functions/utf8.h"

enum side { SIDE_LEADING = 1, SIDE_TRAILING = 2, SIDE_BOTH = 3 };

struct trim_state {
    enum side side;
    uint32_t text;      /* which argument is trimmed */
    int32_t characters; /* which has the characters, -1: blanks */
};

static bool contains(struct oriel_text set, const char *character, size_t width) {
    for (size_t at = 0; at + width <= set.length;) {
        const size_t own = oriel_utf8_width(set.bytes[at]);
        if (own == width && memcmp(set.bytes + at, character, width) == 0)
            return true;
        at += own;
    }
    return false;
}

static struct oriel_text trim_text(struct oriel_text text, struct oriel_text set, enum side side) {
    while ((side & SIDE_LEADING) && text.length) {
        const size_t width = oriel_utf8_width(text.bytes[0]);
        if (width > text.length || !contains(set, text.bytes, width))
            break;
        text.bytes += width;
        text.length -= width;
    }
    while ((side & SIDE_TRAILING) && text.length) {
        size_t width = 1;
        while (width < text.length && !oriel_utf8_begins(text.bytes[text.length - width]))
            width++;
        if (!contains(set, text.bytes + text.length - width, width))
            break;
        text.length -= width;
    }
    return text;
}

static enum oriel_status trim_row(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row,
                                  struct oriel_column *out) {
    (void)evaluation;
    const struct trim_state *state = call->state;
    const struct oriel_text set =
        state->characters < 0 ? ORIEL_TEXT(" ") : oriel_text_at(&arguments[state->characters], row);
    const struct oriel_text text =
        trim_text(oriel_text_at(&arguments[state->text], row), set, state->side);
    oriel_text_point(out, row, text.bytes, text.length);
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(trim)

static enum oriel_status bind_sides(struct oriel_binding *binding, enum side side,
                                    struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, "s", "character strings", error));
    struct trim_state *state = oriel_bind_state(binding, sizeof *state, error);
    if (!state)
        return ORIEL_MEMORY;
    *state = (struct trim_state){
        .side = side, .text = 0, .characters = binding->argument_count > 1 ? 1 : -1};
    return oriel_bind_result(binding, oriel_text_type(binding->casts[0].length), trim);
}

static enum oriel_status bind_ltrim(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_sides(binding, SIDE_LEADING, error);
}

static enum oriel_status bind_rtrim(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_sides(binding, SIDE_TRAILING, error);
}

static enum oriel_status bind_btrim(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(bind_sides(binding, SIDE_BOTH, error));
    return oriel_bind_result(binding, oriel_type_string(), trim);
}

/* TRIM(value), or the mode, the characters and the value of TRIM(LEADING 'x' FROM value). */
static enum oriel_status bind_trim(struct oriel_binding *binding, struct oriel_error *error) {
    struct oriel_text mode;
    if (binding->argument_count == 1)
        return bind_sides(binding, SIDE_BOTH, error);
    if (!oriel_bind_constant_text(binding, 0, &mode))
        return oriel_bind_refuse(binding,
                                 "'TRIM([[BOTH | LEADING | TRAILING] <STRING> FROM] "
                                 "<STRING>)'",
                                 error);
    ORIEL_TRY(bind_sides(binding, SIDE_BOTH, error));
    struct trim_state *state = oriel_bind_state(binding, sizeof *state, error);
    if (!state)
        return ORIEL_MEMORY;
    state->side = oriel_text_equal(mode, ORIEL_TEXT("LEADING"))    ? SIDE_LEADING
                  : oriel_text_equal(mode, ORIEL_TEXT("TRAILING")) ? SIDE_TRAILING
                                                                   : SIDE_BOTH;
    state->characters = 1;
    state->text = binding->argument_count - 1;
    if (binding->argument_count == 2)
        state->characters = -1;
    return oriel_bind_result(binding, oriel_text_type(binding->casts[state->text].length), trim);
}

/* Appends the first `units` UTF-16 units of a text; half a character is a question mark. */
static char *put_units(char *end, struct oriel_text text, size_t units) {
    bool half;
    end = mempcpy(end, text.bytes, oriel_utf16_offset(text.bytes, text.length, units, &half));
    if (half)
        *end++ = '?';
    return end;
}

/* The text cut or padded to `length` UTF-16 units, as Java's strings count; NULL for a negative
 * length or an empty pad. */
static enum oriel_status pad_row(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                                 const struct oriel_column *arguments, size_t row,
                                 struct oriel_column *out, bool in_front) {
    const struct oriel_text text = oriel_text_at(&arguments[0], row);
    const struct oriel_text pad = oriel_text_at(&arguments[2], row);
    const int32_t length = oriel_i32_at(&arguments[1], row);
    if (length < 0 || pad.length == 0) {
        oriel_column_set_null(out, row);
        return ORIEL_OK;
    }
    const size_t units = oriel_utf16_count(text.bytes, text.length);
    const size_t missing = units < (size_t)length ? (size_t)length - units : 0;
    const size_t pad_units = oriel_utf16_count(pad.bytes, pad.length);
    const size_t whole = missing / pad_units;
    char *room;
    ORIEL_TRY(oriel_text_room(call, evaluation, text.length + (whole + 1) * pad.length, &room));
    char *end = room;
    if (!in_front)
        end = put_units(end, text, (size_t)length);
    for (size_t i = 0; i < whole; i++)
        end = mempcpy(end, pad.bytes, pad.length);
    end = put_units(end, pad, missing % pad_units);
    if (in_front)
        end = put_units(end, text, (size_t)length);
    oriel_text_point(out, row, room, (size_t)(end - room));
    return ORIEL_OK;
}

static enum oriel_status lpad_row(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row,
                                  struct oriel_column *out) {
    return pad_row(call, evaluation, arguments, row, out, true);
}

static enum oriel_status rpad_row(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row,
                                  struct oriel_column *out) {
    return pad_row(call, evaluation, arguments, row, out, false);
}

ORIEL_TEXT_EACH(lpad)

ORIEL_TEXT_EACH(rpad)

static enum oriel_status bind_lpad(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, "sis", "'LPAD(<STRING>, <INT>, <STRING>)'", error));
    return oriel_bind_result(binding, oriel_type_string(), lpad);
}

static enum oriel_status bind_rpad(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, "sis", "'RPAD(<STRING>, <INT>, <STRING>)'", error));
    return oriel_bind_result(binding, oriel_type_string(), rpad);
}

static const struct oriel_function rows[] = {
    {"BTRIM", 1, 2, ORIEL_FUNCTION_STRICT, bind_btrim, NULL},
    {"LPAD", 3, 3, ORIEL_FUNCTION_STRICT, bind_lpad, NULL},
    {"LTRIM", 1, 2, ORIEL_FUNCTION_STRICT, bind_ltrim, NULL},
    {"RPAD", 3, 3, ORIEL_FUNCTION_STRICT, bind_rpad, NULL},
    {"RTRIM", 1, 2, ORIEL_FUNCTION_STRICT, bind_rtrim, NULL},
    {"TRIM", 1, 3, ORIEL_FUNCTION_STRICT, bind_trim, NULL},
};

const struct oriel_function_group oriel_functions_string_trim = {rows,
                                                                 sizeof rows / sizeof rows[0]};
