/*
 * Results that are strings: where their bytes lie, and how long they may be.
 */
#include "engine/functions/text_result.h"

enum oriel_status oriel_text_room(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation, size_t length, char **out) {
    if (length > ORIEL_TEXT_RESULT_BYTES_MAX)
        return oriel_error_at(evaluation->error, ORIEL_RUNTIME, call->position,
                              "%s makes a text of %zu bytes; the most is %d", call->function->name,
                              length, (int)ORIEL_TEXT_RESULT_BYTES_MAX);
    *out = oriel_arena_allocate(evaluation->batch_arena, length + 1);
    return *out ? ORIEL_OK : oriel_error_memory(evaluation->error);
}

enum oriel_status oriel_text_set(const struct oriel_call *call,
                                 struct oriel_evaluation *evaluation, struct oriel_column *out,
                                 size_t row, const char *bytes, size_t length) {
    if (length > ORIEL_STRING_INLINE_BYTES) {
        char *room;
        ORIEL_TRY(oriel_text_room(call, evaluation, length, &room));
        memcpy(room, bytes, length);
        bytes = room;
    }
    oriel_text_point(out, row, bytes, length);
    return ORIEL_OK;
}
