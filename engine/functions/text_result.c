/*
 * Results that are strings: where their bytes lie, and how long they may be.
 */
#include "engine/functions/text_result.h"

#include <unicode/utf8.h>

enum oriel_status oriel_text_room(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation, size_t length, char **out) {
    if (length > ORIEL_TEXT_RESULT_BYTES_MAX)
        return oriel_error_at(evaluation->error, ORIEL_RUNTIME, call->position,
                              "%s makes a text of %zu bytes; the most is %d", call->function->name,
                              length, (int)ORIEL_TEXT_RESULT_BYTES_MAX);
    *out = oriel_arena_allocate(evaluation->batch_arena, length + 1);
    return *out ? ORIEL_OK : oriel_error_memory(evaluation->error);
}

enum oriel_status oriel_text_set(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                                 struct oriel_column *out, size_t row, const char *bytes,
                                 size_t length) {
    if (length > ORIEL_STRING_INLINE_BYTES) {
        char *room;
        ORIEL_TRY(oriel_text_room(call, evaluation, length, &room));
        memcpy(room, bytes, length);
        bytes = room;
    }
    oriel_text_point(out, row, bytes, length);
    return ORIEL_OK;
}

enum oriel_status oriel_text_decode(const struct oriel_call *call,
                                    struct oriel_evaluation *evaluation, struct oriel_text bytes,
                                    struct oriel_text *out) {
    static const char replacement[] = "\xef\xbf\xbd";
    char *room;
    ORIEL_TRY(oriel_text_room(call, evaluation, 3 * bytes.length, &room));
    size_t length = 0;
    const int32_t end = (int32_t)bytes.length;
    for (int32_t at = 0; at < end;) {
        const int32_t start = at;
        UChar32 point;
        U8_NEXT((const uint8_t *)bytes.bytes, at, end, point);
        const size_t width = point < 0 ? 3 : (size_t)(at - start);
        memcpy(room + length, point < 0 ? replacement : bytes.bytes + start, width);
        length += width;
    }
    *out = (struct oriel_text){room, length};
    return ORIEL_OK;
}
