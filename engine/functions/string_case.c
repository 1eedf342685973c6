/*
 * UPPER and LOWER by Unicode's full mappings (ICU, no language), INITCAP on ASCII letters as Flink
 * has it.
 */
#include <unicode/ucasemap.h>

#include "engine/functions/function_table.h"
#include "engine/functions/text_result.h"
#include "engine/functions/utf8.h"

static enum oriel_status open_map(const struct oriel_call *call,
                                  const struct oriel_runtime *runtime, void **local,
                                  struct oriel_error *error) {
    (void)call, (void)runtime;
    UErrorCode code = U_ZERO_ERROR;
    *local = ucasemap_open("", 0, &code);
    return U_SUCCESS(code) ? ORIEL_OK : oriel_error_memory(error);
}

static void close_map(const struct oriel_call *call, const struct oriel_runtime *runtime,
                      void *local) {
    (void)call, (void)runtime;
    ucasemap_close(local);
}

static const struct oriel_function_local case_map = {open_map, close_map};

typedef int32_t map_function(const UCaseMap *map, char *to, int32_t capacity, const char *from,
                             int32_t length, UErrorCode *code);

static enum oriel_status map_unicode(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation, struct oriel_text text,
                                     map_function *map, size_t row, struct oriel_column *out) {
    size_t capacity = 2 * text.length + 16; /* a mapping grows to three times at most */
    for (;;) {
        char *room;
        UErrorCode code = U_ZERO_ERROR;
        ORIEL_TRY(oriel_text_room(call, evaluation, capacity, &room));
        const int32_t length = map(evaluation->local, room, (int32_t)capacity, text.bytes,
                                   (int32_t)text.length, &code);
        if (code == U_BUFFER_OVERFLOW_ERROR) {
            capacity = (size_t)length + 1;
            continue;
        }
        if (U_FAILURE(code))
            return oriel_error_memory(evaluation->error);
        /* CHAR(n) and VARCHAR(n) keep their length: of one sharp s UPPER makes one S */
        const size_t kept = oriel_utf8_offset(room, (size_t)length, (size_t)call->result.length);
        oriel_text_point(out, row, room, kept);
        return ORIEL_OK;
    }
}

static enum oriel_status map_row(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                                 const struct oriel_column *arguments, size_t row,
                                 struct oriel_column *out, bool upper) {
    const struct oriel_text text = oriel_text_at(&arguments[0], row);
    if (!oriel_utf8_is_ascii(text.bytes, text.length))
        return map_unicode(call, evaluation, text,
                           upper ? ucasemap_utf8ToUpper : ucasemap_utf8ToLower, row, out);
    char *room;
    ORIEL_TRY(oriel_text_room(call, evaluation, text.length, &room));
    const char first = upper ? 'a' : 'A';
    for (size_t i = 0; i < text.length; i++) {
        const unsigned char place = (unsigned char)(text.bytes[i] - first);
        room[i] = (char)(text.bytes[i] ^ (place < 26 ? 0x20 : 0));
    }
    oriel_text_point(out, row, room, text.length);
    return ORIEL_OK;
}

static enum oriel_status upper_row(const struct oriel_call *call,
                                   struct oriel_evaluation *evaluation,
                                   const struct oriel_column *arguments, size_t row,
                                   struct oriel_column *out) {
    return map_row(call, evaluation, arguments, row, out, true);
}

static enum oriel_status lower_row(const struct oriel_call *call,
                                   struct oriel_evaluation *evaluation,
                                   const struct oriel_column *arguments, size_t row,
                                   struct oriel_column *out) {
    return map_row(call, evaluation, arguments, row, out, false);
}

ORIEL_TEXT_EACH(upper)

ORIEL_TEXT_EACH(lower)

/* A word is a run of ASCII letters and digits; only its ASCII letters change. */
static enum oriel_status initcap_row(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row,
                                     struct oriel_column *out) {
    const struct oriel_text text = oriel_text_at(&arguments[0], row);
    char *room;
    ORIEL_TRY(oriel_text_room(call, evaluation, text.length, &room));
    bool inside = false;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.bytes[i];
        const bool is_lower = c >= 'a' && c <= 'z', is_upper = c >= 'A' && c <= 'Z';
        if ((is_lower && !inside) || (is_upper && inside))
            c = (char)(c ^ 0x20);
        inside = is_lower || is_upper || (c >= '0' && c <= '9');
        room[i] = c;
    }
    oriel_text_point(out, row, room, text.length);
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(initcap)

static enum oriel_status bind_case(struct oriel_binding *binding, oriel_evaluate *evaluate,
                                   struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, "s", "a character string", error));
    return oriel_bind_result(binding, binding->casts[0], evaluate);
}

static enum oriel_status bind_upper(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_case(binding, upper, error);
}

static enum oriel_status bind_lower(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_case(binding, lower, error);
}

static enum oriel_status bind_initcap(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_case(binding, initcap, error);
}

static const struct oriel_function rows[] = {
    {"INITCAP", 1, 1, ORIEL_FUNCTION_STRICT, bind_initcap, NULL},
    {"LOWER", 1, 1, ORIEL_FUNCTION_STRICT, bind_lower, &case_map},
    {"UPPER", 1, 1, ORIEL_FUNCTION_STRICT, bind_upper, &case_map},
};

const struct oriel_function_group oriel_functions_string_case = {rows,
                                                                 sizeof rows / sizeof rows[0]};
