/*
 * Casts to strings and bytes: what Flink prints, cut or padded to the length of CHAR(n),
 * VARCHAR(n), BINARY(n) and VARBINARY(n).
 */
#include "engine/columns/value_text.h"
#include "engine/functions/cast.h"
#include "engine/functions/text_result.h"
#include "engine/functions/utf8.h"

/* Writes a text as CHAR(n) or VARCHAR(n); `bytes` live as long as the batch if `lasting`. */
static enum oriel_status set_characters(const struct oriel_call *call,
                                        struct oriel_evaluation *evaluation,
                                        struct oriel_column *out, size_t row,
                                        struct oriel_text text, bool lasting) {
    const struct oriel_type *to = &call->result;
    const size_t most = (size_t)to->length;
    if (to->length != ORIEL_LENGTH_MAX) {
        text.length = oriel_utf8_offset(text.bytes, text.length, most);
        const size_t count = oriel_utf8_count(text.bytes, text.length);
        if (to->id == ORIEL_TYPE_CHAR && count < most) {
            char *room;
            const size_t length = text.length + most - count;
            ORIEL_TRY(oriel_text_room(call, evaluation, length, &room));
            if (text.length)
                memcpy(room, text.bytes, text.length);
            memset(room + text.length, ' ', most - count);
            oriel_text_point(out, row, room, length);
            return ORIEL_OK;
        }
    }
    if (!lasting)
        return oriel_text_set(call, evaluation, out, row, text.bytes, text.length);
    oriel_text_point(out, row, text.bytes, text.length);
    return ORIEL_OK;
}

static enum oriel_status print_fixed(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row_count,
                                     struct oriel_column *out) {
    const struct oriel_cast *cast = call->state;
    const size_t value_bytes = oriel_physical_size(oriel_type_physical(&cast->from));
    const char *from = arguments[0].values;
    char text[ORIEL_VALUE_TEXT_BYTES];
    for (size_t row = 0; row < row_count; row++) {
        oriel_text_clear(out, row);
        if (!oriel_row_counts(evaluation, out, row))
            continue;
        const size_t length = oriel_value_print_fixed(&cast->from, from + row * value_bytes,
                                                      evaluation->runtime->zone, text);
        ORIEL_TRY(
            set_characters(call, evaluation, out, row, (struct oriel_text){text, length}, false));
    }
    return ORIEL_OK;
}

static enum oriel_status print_nested(const struct oriel_call *call,
                                      struct oriel_evaluation *evaluation,
                                      const struct oriel_column *arguments, size_t row_count,
                                      struct oriel_column *out) {
    struct oriel_text_buffer buffer;
    enum oriel_status status = ORIEL_OK;
    oriel_text_buffer_init(&buffer, evaluation->runtime->memory);
    for (size_t row = 0; row < row_count && status == ORIEL_OK; row++) {
        oriel_text_clear(out, row);
        if (!oriel_row_counts(evaluation, out, row))
            continue;
        buffer.length = 0;
        status = oriel_value_print(&buffer, &arguments[0], row, evaluation->runtime->zone);
        if (status == ORIEL_MEMORY)
            oriel_error_memory(evaluation->error);
        if (status == ORIEL_OK)
            status = set_characters(call, evaluation, out, row,
                                    (struct oriel_text){buffer.bytes, buffer.length}, false);
    }
    oriel_text_buffer_deinit(&buffer);
    return status;
}

static enum oriel_status resize_characters(const struct oriel_call *call,
                                           struct oriel_evaluation *evaluation,
                                           const struct oriel_column *arguments, size_t row_count,
                                           struct oriel_column *out) {
    for (size_t row = 0; row < row_count; row++) {
        oriel_text_clear(out, row);
        if (oriel_row_counts(evaluation, out, row))
            ORIEL_TRY(set_characters(call, evaluation, out, row, oriel_text_at(&arguments[0], row),
                                     true));
    }
    return ORIEL_OK;
}

static enum oriel_status decode_bytes(const struct oriel_call *call,
                                      struct oriel_evaluation *evaluation,
                                      const struct oriel_column *arguments, size_t row_count,
                                      struct oriel_column *out) {
    for (size_t row = 0; row < row_count; row++) {
        oriel_text_clear(out, row);
        if (!oriel_row_counts(evaluation, out, row))
            continue;
        struct oriel_text text;
        ORIEL_TRY(oriel_text_decode(call, evaluation, oriel_text_at(&arguments[0], row), &text));
        ORIEL_TRY(set_characters(call, evaluation, out, row, text, true));
    }
    return ORIEL_OK;
}

/* Characters or bytes to bytes: cut, or for BINARY(n) padded with zeros. */
static enum oriel_status to_bytes(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row_count,
                                  struct oriel_column *out) {
    const size_t most = (size_t)call->result.length;
    for (size_t row = 0; row < row_count; row++) {
        oriel_text_clear(out, row);
        if (!oriel_row_counts(evaluation, out, row))
            continue;
        struct oriel_text text = oriel_text_at(&arguments[0], row);
        if (text.length > most)
            text.length = most;
        if (call->result.id == ORIEL_TYPE_BINARY && text.length < most) {
            char *room;
            ORIEL_TRY(oriel_text_room(call, evaluation, most, &room));
            memset(room, 0, most);
            if (text.length)
                memcpy(room, text.bytes, text.length);
            text = (struct oriel_text){room, most};
        }
        oriel_text_point(out, row, text.bytes, text.length);
    }
    return ORIEL_OK;
}

oriel_evaluate *oriel_cast_to_text(const struct oriel_cast *cast) {
    const struct oriel_type *from = &cast->from, *to = &cast->to;
    if (oriel_type_is_binary(to))
        return oriel_type_is_binary(from) || oriel_type_is_character(from) ? to_bytes : NULL;
    if (!oriel_type_is_character(to))
        return NULL;
    if (oriel_type_is_character(from))
        return resize_characters;
    if (oriel_type_is_binary(from))
        return decode_bytes;
    if (oriel_type_physical(from) == ORIEL_PHYSICAL_NESTED)
        return print_nested;
    return print_fixed;
}
